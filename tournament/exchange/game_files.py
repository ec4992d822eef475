"""The confirmed games of an event, a player or a pool as files: `.ndjson`, `.rec` with records."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request

from games.core.formats import FileFormat, NdjsonFile
from games.core.requests import requested_number, whole_number
from games.core.views import ApiView
from games.models import Game
from games.play.queries import visible_games
from games.study.files import GAME_EXPORT_COLUMNS, write_games, write_line, write_record
from ratings.core.pools import find_pool
from ratings.models import BatchGame
from ratings.runs.changes import find_rated_player
from tournament.core.lookup import tournament_seen_by
from tournament.players.agreements import hidden_streams

FORMS = {
    "ndjson": ("application/x-ndjson", write_line),
    "rec": ("text/plain", write_record),
}
"""The media type of each form, and what writes a game in it."""

AFTER_GAME_PARAMETER = OpenApiParameter(
    "after",
    whole_number(0, default=0),
    description=(
        "only the games with a greater id. The games are in the order of their ids and written as"
        " they are read; each names its id (`id`, or the tag `GameId`). To continue a download that"
        " was cut off, send the id of the last game that has arrived whole."
    ),
)


class RecordsFile(FileFormat):
    media_type = "text/plain"
    format = "rec"


def _schema(operation_id: str) -> Any:
    schema = extend_schema(operation_id=operation_id, responses=OpenApiTypes.STR)
    return extend_schema_view(get=schema)


class GameFile(ApiView):
    """The confirmed games that the reader may see, as lines, or as records with tags."""

    throttle_scope = "export"
    is_streamed = True
    parameters = (AFTER_GAME_PARAMETER,)
    renderer_classes = [NdjsonFile, RecordsFile]

    def file(self, request: Request, games: "QuerySet[Game]", stem: str) -> StreamingHttpResponse:
        """Return the file of the confirmed ones."""
        after = requested_number(request, "after", 0, least=0)
        form = request.accepted_renderer.format
        media_type, write = FORMS[form]
        confirmed = games.filter(state=Game.State.CONFIRMED).values(*GAME_EXPORT_COLUMNS)
        return StreamingHttpResponse(
            write_games(confirmed, write, after=after),
            content_type=f"{media_type}; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{stem}.{form}"'},
        )


@_schema("tournament_games")
class EventGames(GameFile):
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Return the confirmed games of a tournament, with their turns if they have a record.

        NDJSON has a line for each game, the other form a record with tags, in the order of their
        ids; `after` continues a download that was cut off.
        """
        tournament = tournament_seen_by(request, slug)
        games = visible_games(request).filter(stream=tournament.stream)
        return self.file(request, games, f"{tournament.slug}-games")


@_schema("player_games")
class PlayerGames(GameFile):
    def get(self, request: Request, player_id: int) -> StreamingHttpResponse:
        """Return the confirmed games of a player, with their turns if they have a record.

        NDJSON has a line for each game, the other form a record with tags, in the order of their
        ids; `after` continues a download that was cut off. Tournaments that the player's own pages
        hide are left out.
        """
        player = find_rated_player(player_id)
        players = player.registration_ids()
        games = visible_games(request).filter(Q(first__in=players) | Q(second__in=players))
        games = games.exclude(stream__in=hidden_streams(player))
        return self.file(request, games, f"player-{player.pk}-games")


@_schema("pool_games")
class PoolGames(GameFile):
    def get(self, request: Request, code: str) -> StreamingHttpResponse:
        """Return the games that a pool rates, with their turns if they have a record.

        NDJSON has a line for each game, the other form a record with tags, in the order of their
        ids; `after` continues a download that was cut off. Excluded games, and those that the
        caller may not see, are left out.
        """
        pool = find_pool(code)
        rated = BatchGame.objects.filter(pool=pool, exclusion="", game=OuterRef("pk"))
        games = visible_games(request).filter(Exists(rated))
        return self.file(request, games, f"{pool.code}-games")
