"""The confirmed games of an event, a player or a pool as files: `.ndjson`, `.rec`, `.sgf`.

A line says how a pool has filed the game; in the files of events and players the pool that has done
so last, because an event can have had another pool before.
"""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request

from games.core.formats import FileFormat, NdjsonFile, SgfFile
from games.core.requests import requested_number, whole_number
from games.core.tables.json import write_ndjson
from games.core.views import ApiView
from games.models import Game
from games.play.queries import visible_games
from games.study.files import (
    GAME_EXPORT_COLUMNS,
    Row,
    game_line,
    write_games,
    write_record,
    write_sgf_game,
)
from ratings.core.pools import find_pool
from ratings.models import BatchGame, Pool
from ratings.runs.changes import find_rated_player, reason_in_words
from tournament.core.lookup import tournament_seen_by
from tournament.players.agreements import hidden_streams

FILED = {
    "rating_pool": "pool__code",
    "effective_at": "batch__effective_at",
    "exclusion": "exclusion",
    "batch_state": "batch__state",
    "batch_reason": "batch__reason",
}
"""The columns that say how a game is filed, by their names in a row."""


def write_line(row: Row) -> str:
    """Return a game as a line of JSON, with the time from which it counts, or why it does not."""
    exclusion = row["exclusion"] or ""
    filed = {
        "rating_pool": row["rating_pool"],
        "effective_at": row["effective_at"],
        "exclusion": exclusion or None,
        "reason": reason_in_words(exclusion, row["batch_state"], row["batch_reason"]) or None,
    }
    return write_ndjson([{**game_line(row), **filed}])


FORMS = {
    "ndjson": ("application/x-ndjson", write_line),
    "rec": ("text/plain", write_record),
    "sgf": (SgfFile.media_type, write_sgf_game),
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
    """The confirmed games that the reader may see, as lines, or as records with tags.

    SGF has those of Hex and TwixT.
    """

    throttle_scope = "dear"
    is_streamed = True
    parameters = (AFTER_GAME_PARAMETER,)
    renderer_classes = [NdjsonFile, RecordsFile, SgfFile]

    def file(
        self, request: Request, games: "QuerySet[Game]", stem: str, *, pool: Pool | None = None
    ) -> StreamingHttpResponse:
        """Return the file of the confirmed ones, as filed with the pool if one is given."""
        after = requested_number(request, "after", 0, least=0)
        form = request.accepted_renderer.format
        media_type, write = FORMS[form]
        filed = BatchGame.objects.filter(game=OuterRef("pk"), **({"pool": pool} if pool else {}))
        last = {name: Subquery(filed.order_by("-pk").values(of)[:1]) for name, of in FILED.items()}
        confirmed = games.filter(state=Game.State.CONFIRMED).annotate(**last)
        confirmed = confirmed.values(*GAME_EXPORT_COLUMNS, *FILED)
        return StreamingHttpResponse(
            write_games(confirmed, write, after=after),
            content_type=f"{media_type}; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{stem}.{form}"'},
        )


@_schema("tournament_games")
class EventGames(GameFile):
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        """Return the confirmed games of a tournament, with their turns if they have a record.

        NDJSON has a line for each game, the other forms a record with tags (SGF only of Hex and
        TwixT), in the order of their ids; `after` continues a download that was cut off.
        A line has the pool with which the game was filed last (`rating_pool`), from when it counts
        there (`effective_at`), or the code and the `reason` why it does not (`exclusion`). The
        journal has the digest of each record, and none of the file.
        """
        tournament = tournament_seen_by(request, slug)
        games = visible_games(request).filter(stream=tournament.stream)
        return self.file(request, games, f"{tournament.slug}-games")


@_schema("player_games")
class PlayerGames(GameFile):
    def get(self, request: Request, player_id: int) -> StreamingHttpResponse:
        """Return the confirmed games of a player, with their turns if they have a record.

        NDJSON has a line for each game, the other forms a record with tags (SGF only of Hex and
        TwixT), in the order of their ids; `after` continues a download that was cut off.
        A line has the pool with which the game was filed last (`rating_pool`), from when it counts
        there (`effective_at`), or the code and the `reason` why it does not (`exclusion`). The
        journal has the digest of each record, and none of the file. Tournaments that the
        player's own pages hide are left out.
        """
        player = find_rated_player(player_id)
        players = player.registration_ids()
        games = visible_games(request).filter(Q(first__in=players) | Q(second__in=players))
        games = games.exclude(stream__in=hidden_streams(player))
        return self.file(request, games, f"player-{player.pk}-games")


@_schema("pool_games")
class PoolGames(GameFile):
    def get(self, request: Request, code: str) -> StreamingHttpResponse:
        """Return the games that are filed with a pool, with their turns if they have a record.

        NDJSON has a line for each game, in the order of their ids, with `effective_at`, from which
        a rated game counts, or with the `reason` for which it is not rated; the other form has a
        record with tags for each rated game. `after` continues a download that was cut off. Games
        that the caller may not see are left out. The file has no digest; the export of the pool
        has the same results.
        """
        pool = find_pool(code)
        filed = BatchGame.objects.filter(pool=pool, game=OuterRef("pk"))
        if request.accepted_renderer.format == RecordsFile.format:
            filed = filed.filter(exclusion="")
        games = visible_games(request).filter(Exists(filed))
        return self.file(request, games, f"{pool.code}-games", pool=pool)
