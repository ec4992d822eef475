"""The confirmed games of an event, a player or a pool: a list, and files of all of them.

A line of a file says how a pool has filed the game; in the files of events and players the pool
that has done so last, because an event can have had another pool before.
"""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import StreamingHttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from games.core.formats import FileFormat, NdjsonFile, SgfFile
from games.core.requests import only_in, requested_number, whole_number
from games.core.tables.json import write_ndjson
from games.core.views import ValuesListView
from games.models import Game
from games.play.queries import GAME_FIELDS, game_as_json, visible_games
from games.study.files import (
    GAME_EXPORT_COLUMNS,
    Row,
    game_line,
    write_games,
    write_record,
    write_sgf_game,
)
from ratings.core.pools import find_pool
from ratings.models import BatchGame
from ratings.runs.changes import find_rated_player, reason_in_words
from tournament.core.lookup import tournament_seen_by
from tournament.players.agreements import hidden_streams

FILED = {
    "filed_pool": "pool__code",
    "effective_at": "batch__effective_at",
    "exclusion": "exclusion",
    "batch_state": "batch__state",
    "batch_reason": "batch__reason",
}
"""The columns that say how a game is filed, by their names in a row."""


def write_line(row: Row) -> str:
    """Return a game as a line of JSON, with the time from which it counts, or why it does not."""
    exclusion, game = row["exclusion"] or "", game_line(row)
    filed = {
        "pool": row["filed_pool"] or game["pool"],
        "effective_at": row["effective_at"],
        "exclusion": exclusion or None,
        "reason": reason_in_words(exclusion, row["batch_state"], row["batch_reason"]) or None,
    }
    return write_ndjson([{**game, **filed}])


FORMS = {
    "ndjson": ("application/x-ndjson", write_line),
    "rec": ("text/plain", write_record),
    "sgf": (SgfFile.media_type, write_sgf_game),
}
"""The media type of each form, and what writes a game in it."""

AFTER_GAME_PARAMETER = only_in(
    OpenApiParameter(
        "after",
        whole_number(0, default=0),
        description=(
            "only the games with a greater id. The games are in the order of their ids and written"
            " as they are read; each names its id (`id`, or the tag `GameId`). To continue a"
            " download that was cut off, send the id of the last game that has arrived whole"
        ),
    ),
    *FORMS,
)


class RecordsFile(FileFormat):
    media_type = "text/plain"
    format = "rec"


class GamesView(ValuesListView):
    """The confirmed games that the reader may see: pages, lines, or records with tags."""

    parameters = (AFTER_GAME_PARAMETER,)
    renderer_classes = [JSONRenderer, NdjsonFile, RecordsFile, SgfFile]
    fields = GAME_FIELDS
    row_as_json = staticmethod(game_as_json)

    @property
    def form(self) -> str:
        """Return the format of the response."""
        return str(self.request.accepted_renderer.format)

    def games(self) -> tuple["QuerySet[Game]", str]:
        """Return the games of the address, and what the names of their files begin with."""
        raise NotImplementedError

    def filed(self) -> "QuerySet[BatchGame]":
        """Return how a game is filed, of which the last counts."""
        return BatchGame.objects.filter(game=OuterRef("pk"))

    def get_queryset(self) -> Any:
        games, _ = self.games()
        return games.filter(state=Game.State.CONFIRMED)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Select the format; a whole file is dear."""
        found = super().perform_content_negotiation(request, force)
        self.throttle_scope = "dear" if found[0].format in FORMS else ""
        return found

    def get(self, request: Request, *args: Any, **address: Any) -> Any:
        if self.form not in FORMS:
            return super().get(request, *args, **address)
        after = requested_number(request, "after", 0, least=0)
        media_type, write = FORMS[self.form]
        games, stem = self.games()
        filed = self.filed().order_by("-pk")
        last = {name: Subquery(filed.values(of)[:1]) for name, of in FILED.items()}
        rows = games.filter(state=Game.State.CONFIRMED).annotate(**last)
        rows = rows.values(*GAME_EXPORT_COLUMNS, *FILED)
        return StreamingHttpResponse(
            write_games(rows, write, after=after),
            content_type=f"{media_type}; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{stem}-games.{self.form}"'},
        )


@extend_schema_view(get=extend_schema(operation_id="list_tournament_games"))
class EventGames(GamesView):
    """The confirmed games of a tournament.

    The files have all of them, in the order of their ids: NDJSON a line for each game with its
    turns, the others the records with tags (SGF only of Hex and TwixT); `after` continues a
    download that was cut off. A line has the pool with which the game was filed last (`pool`), from
    when it counts there (`effective_at`), or the code and the `reason` why it does not
    (`exclusion`). The journal has the digest of each record, and none of the file.
    """

    def games(self) -> tuple["QuerySet[Game]", str]:
        tournament = tournament_seen_by(self.request, self.kwargs["slug"])
        return visible_games(self.request).filter(stream=tournament.stream), tournament.slug


@extend_schema_view(get=extend_schema(operation_id="list_player_games"))
class PlayerGames(GamesView):
    """The confirmed games of a player.

    The formats are those of a tournament's games. Tournaments that the player's own pages hide are
    left out.
    """

    def games(self) -> tuple["QuerySet[Game]", str]:
        player = find_rated_player(self.kwargs["player_id"])
        players = player.registration_ids()
        games = visible_games(self.request).filter(Q(first__in=players) | Q(second__in=players))
        return games.exclude(stream__in=hidden_streams(player)), f"player-{player.pk}"


@extend_schema_view(get=extend_schema(operation_id="list_pool_games"))
class PoolGames(GamesView):
    """The games that are filed with a pool.

    A line of NDJSON has `effective_at`, from which a rated game counts, or the `reason` for which
    it is not rated; the other formats, and the pages, have the rated games only. `after` continues
    a download that was cut off. Games that the caller may not see are left out. The file has no
    digest; the export of the pool has the same results.
    """

    def games(self) -> tuple["QuerySet[Game]", str]:
        filed = self.filed()
        if self.form != NdjsonFile.format:
            filed = filed.filter(exclusion="")
        return visible_games(self.request).filter(Exists(filed)), self.kwargs["code"]

    def filed(self) -> "QuerySet[BatchGame]":
        """Return how the pool has filed a game."""
        return super().filed().filter(pool=find_pool(self.kwargs["code"]))
