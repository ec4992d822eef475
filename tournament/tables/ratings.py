"""The ratings of an event: the performance of each player, and what the results change.

CSV columns: `player,name,games,score,expected,performance,before,change,after,month_change`,
where `player` is that of the player.
"""

from typing import Annotated, Any, Final

from django.http import HttpResponse
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.core.decimals import EXPECTED, RATING
from games.core.namesakes import shown_names
from games.core.references import TournamentReference
from games.core.tables.table import CellType, Column, ColumnKind, Heading, TableDocument
from games.core.tables.views import BOM_PARAMETER, PAPER, TABLE_FORMATS, NegotiatedView
from games.core.types import described
from games.models import Game
from games.play.queries import visible_games
from games.rules.messages import gettext_noop
from ratings.comparisons.queries import Performances, PlayerPerformance, event_ratings_as_json
from ratings.models import Pool
from tournament.core.lookup import tournament_seen_by
from tournament.core.pages import EventPage
from tournament.core.references import EntryReference, entry_reference, tournament_reference
from tournament.core.sheets import requested_frame
from tournament.entries.queries import namesakes_in
from tournament.models import Tournament

COLUMNS: Final = (
    Column("player", gettext_noop("Id"), of="player.id", cell_type=CellType.CODE),
    Column(
        "name", gettext_noop("Name"), ColumnKind.TEXT, of="player.name", is_wide=True, is_key=True
    ),
    Column("games", gettext_noop("Games")),
    Column("score", gettext_noop("Score")),
    Column("expected", gettext_noop("Expected"), digits=EXPECTED),
    Column("performance", gettext_noop("Performance")),
    Column("before", gettext_noop("Before"), digits=RATING),
    Column("change", gettext_noop("Change"), digits=RATING),
    Column("after", gettext_noop("After"), digits=RATING),
    Column("month_change", gettext_noop("Month"), digits=RATING),
)
MONTH: Final = "month_change"
PRINTED: Final = tuple(column.name for column in COLUMNS if column.name not in ("player", MONTH))
NOTES: Final = {
    "rated": gettext_noop("Only rated games count."),
    "expected": gettext_noop(
        "Only rated games count. The changes are those that the results so far would give."
    ),
    "unrated": gettext_noop("The event requests no rating."),
    "month": gettext_noop(
        "Change: by the games of this event. Month: by all games of its month, which are rated "
        "together and lead to the rating after."
    ),
}


class EventPerformance(PlayerPerformance):
    """The performance of an entry in the rated games of an event, and what they change."""

    id: Annotated[int, "of the entry"]
    number: Annotated[int | None, "the pairing number"]


class EventPerformances(Performances):
    """The ratings of an event, the best performance first."""

    tournament: TournamentReference
    round: Annotated[int, "the last one with a result; 0: none"]
    rows: list[EventPerformance]  # type: ignore[misc]


def ratings_of(request: Request, tournament: Tournament) -> tuple[Pool | None, EventPerformances]:
    """Return the pool that rates an event, if any, and the ratings as JSON."""
    pool = Pool.objects.filter(code=tournament.pool).first() if tournament.rated else None
    games = visible_games(request).filter(stream=tournament.stream, void=False)
    found = event_ratings_as_json(pool, tournament.stream, games)
    with_result = (
        games.filter(state=Game.State.CONFIRMED).order_by().values_list("round").distinct()
    )
    entries: dict[int, EntryReference] = {}
    for entry in tournament.entries.select_related("player__merged_into"):
        # The changes name a merged player, or the other one, until the pool is rated anew.
        entries[entry.player_id] = entries[entry.player.current_id] = entry_reference(entry)
    return pool, {
        "tournament": tournament_reference(tournament),
        "round": max((int(number) for (number,) in with_result), default=0),
        **found,
        "rows": [
            {**row, **entries[row["player"]["id"]]}
            for row in found["rows"]
            if row["player"]["id"] in entries
        ],
    }


def ratings_document(tournament: Tournament, body: EventPerformances) -> TableDocument:
    """Return the table of the ratings of an event from its JSON."""
    with_month = any(row[MONTH] is not None for row in body["rows"])
    printed = (*PRINTED, MONTH) if with_month else PRINTED
    return TableDocument(
        heading=Heading(
            title=gettext("%(event)s: ratings") % {"event": tournament.name},
            subtitle=gettext("Ratings"),
            file_stem=f"{tournament.slug}.performances",
        ),
        columns=COLUMNS,
        records=body["rows"],
        page=printed,
        sheet=printed,
        notes=(NOTES[body["state"]], *((NOTES["month"],) if with_month else ())),
        body=body,
    )


class PerformancesView(NegotiatedView):
    renderer_classes = TABLE_FORMATS
    parameters = (BOM_PARAMETER, PAPER)

    @extend_schema(responses=described(EventPerformances))
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the performance of each player in the rated games, and the change of the rating.

        Before the tournament is rated, `state` is `expected`: the changes are those that the
        results so far would give now, if the pool approves the tournament; it is `unrated` if the
        tournament requests no rating. CSV columns: `player,name,games,score,expected,
        performance,before,change,after,month_change`, where `player` is that of the player.
        """
        tournament = tournament_seen_by(request, slug)
        _, body = ratings_of(request, tournament)
        with self.language:
            document = ratings_document(tournament, body)
            return self.render_table(document, frame=requested_frame(request, tournament))


class EventRatingsPage(EventPage):
    template = "tournament/tables/ratings.html"
    tab = "ratings"

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the rows, and whether they are rated, expected or not requested."""
        pool, found = ratings_of(request, tournament)
        with_month = any(row[MONTH] is not None for row in found["rows"])
        names = shown_names(row["player"] for row in found["rows"]) | namesakes_in(tournament)
        return {
            "pool": pool,
            "corrections": list(tournament.corrections.with_changes(lambda each: "game" in each)),
            "state": found["state"],
            "rows": [row | {"name": names[row["player"]["id"]]} for row in found["rows"]],
            "with_month": with_month,
        }
