"""The players of an event, and the card of one: their rounds, and how their values are computed.

CSV columns: `number,name,country,club,rating,state`. `number` is the pairing number, which
players have from the start of the event on.
"""

from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Annotated, Any, TypedDict

from django.db.models import F
from django.http import HttpResponse
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from games.core.errors import require_found
from games.core.namesakes import tell_apart
from games.core.references import TournamentReference
from games.core.requests import requested_choice
from games.core.tables.html import table_context
from games.core.tables.json import JsonRenderer
from games.core.tables.pdf import PdfRenderer
from games.core.tables.table import Column, ColumnKind, Heading, TableDocument
from games.core.tables.views import PAPER, NegotiatedView
from games.core.types import described
from games.names import fold_name
from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.core.lookup import own_account, tournament_seen_by
from tournament.core.pages import EventPage
from tournament.core.queries import listed_entries
from tournament.core.rankings import Table
from tournament.core.references import EntryReference, entry_reference, tournament_reference
from tournament.core.sheets import requested_frame
from tournament.entries.queries import namesakes_in
from tournament.models import Entry, Tournament
from tournament.rounds.queries import RoundPairing, corrections_of, load_pairings_of
from tournament.standings.table import StandingsRow
from tournament.tables.recent import requested_table


def _state_text(record: Mapping[str, Any]) -> str:
    return "" if record["state"] == Entry.State.ACCEPTED else gettext(record["state"])


COLUMNS = (
    Column("number", gettext_noop("No"), is_key=True),
    Column(
        "name", gettext_noop("Name"), ColumnKind.TEXT, of="player.name", is_wide=True, is_key=True
    ),
    Column("country", gettext_noop("Country"), ColumnKind.TEXT, of="player.country"),
    Column("club", gettext_noop("Club"), ColumnKind.TEXT, of="player.club", is_wide=True),
    Column("rating", gettext_noop("Rating"), of="seed_rating"),
    Column("state", gettext_noop("State"), ColumnKind.TEXT, cell=_state_text),
)


BY = OpenApiParameter("by", str, enum=["number", "name"], description="the order")


class StartLine(EntryReference):
    """A player who is entered."""

    seed_rating: Annotated[int | None, "null: unrated"]
    state: Entry.State


class StartListOfEvent(TypedDict):
    """The players who are entered."""

    tournament: TournamentReference
    rows: list[StartLine]


def players_document(tournament: Tournament, account: int | None = None) -> TableDocument:
    """Return the players that an account sees by pairing number, without numbers by name."""
    by_number = F("pairing_number").asc(nulls_last=True)
    entries = listed_entries(tournament, account).select_related("player__merged_into")
    rows: list[StartLine] = [
        {
            **entry_reference(entry),
            "seed_rating": entry.seed_rating or None,
            "state": Entry.State(entry.state),
        }
        for entry in entries.order_by(by_number, "player__name", "pk")
    ]
    body: StartListOfEvent = {"tournament": tournament_reference(tournament), "rows": rows}
    has_states = any(_state_text(record) for record in rows)
    names = tuple(column.name for column in COLUMNS if column.name != "state" or has_states)
    return TableDocument(
        page=names,
        sheet=names,
        heading=Heading(
            title=f"{tournament.name}: players",
            subtitle=gettext("Start list"),
            file_stem=f"{tournament.slug}.players",
        ),
        columns=COLUMNS,
        records=rows,
        body=body,
    )


def by_name(document: TableDocument) -> TableDocument:
    """Return the players by name; accents do not count."""
    named = [(fold_name(record["player"]["name"]), record) for record in document.records]
    records = [record for _, record in sorted(named, key=itemgetter(0))]
    names = ("name", *(name for name in document.page if name != "name"))
    body = {**document.body, "rows": records}
    return replace(document, records=records, page=names, sheet=names, body=body)


class StartList(NegotiatedView):
    public_read = "slug"
    renderer_classes = [JsonRenderer, PdfRenderer]
    parameters = (BY, PAPER)

    @extend_schema(responses=described(StartListOfEvent))
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the players who are entered, by pairing number or by name; PDF to print.

        It has their countries, clubs and ratings. Before the start nobody has a number, so the list
        is by name. Players who have withdrawn are marked; applications are not on it, unless the
        caller is their player.
        """
        tournament = tournament_seen_by(request, slug)
        order = requested_choice(request, "by", ("number", "name"))
        with self.language:
            document = players_document(tournament, own_account(request, tournament))
            if order == "name":
                document = by_name(document)
            return self.render_table(document, frame=requested_frame(request, tournament))


class PlayersPage(EventPage):
    template = "tournament/tables/players.html"
    public_read = "slug"
    query_names = ("by",)
    tab = "players"

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the start list, by pairing number or by name."""
        document = players_document(tournament, own_account(request, tournament))
        order = requested_choice(request, "by", ("number", "name"))
        if order == "name":
            document = by_name(document)
        own = self.event_frame["own_entry"].pk if self.event_frame["own_entry"] else None

        def card(record: Mapping[str, Any]) -> str:
            if record["number"]:
                return f"/e/{tournament.slug}/players/{record['number']}"
            return f"/players/{record['player']['id']}"

        def row_class(record: Mapping[str, Any]) -> str:
            return "own" if record["id"] == own else ""

        table = table_context(document, links={"name": card}, row_class=row_class)
        return {"order": order, **table}


class CardPage(EventPage):
    """A player in an event, by their pairing number; `?round=` as in the standings."""

    template = "tournament/tables/card.html"
    public_read = "slug"
    query_names = ("round", "tiebreaks")
    tab = "players"
    is_costly = True

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the pairings of a player, and the terms of their tie-breaks."""
        number = address["number"]
        entries = tournament.entries.select_related("player__merged_into")
        entry = require_found(
            entries.filter(pairing_number=number).first(),
            Text("there is no player with the pairing number %(number)s", number=number),
        )
        table = requested_table(request, tournament)
        by_game = tournament.corrections.by_game() if table.through else {}
        row = next((r for r in table.rows if r.number == number), None)
        player, namesakes = entry.player.current, namesakes_in(tournament)
        return {
            "entry": entry,
            "player": player,
            "name": namesakes.get(player.pk, player.name),
            "is_withdrawn": entry.state == Entry.State.WITHDRAWN,
            "pairings": [
                tell_apart(player_line(round_number, pairing, entry.pk), namesakes)
                | {"corrections": corrections_of(pairing.games, by_game)}
                for round_number, pairing in load_pairings_of(tournament, entry.pk)
            ],
            "table": table,
            "row": row,
            "values": _values(table, row) if row else [],
        }


def player_line(round_number: int, pairing: RoundPairing, entry: int) -> dict[str, Any]:
    """Return a pairing from the side of a player."""
    is_first = pairing.first["id"] == entry
    return {
        "round": round_number,
        "pairing": pairing,
        "seat": "first" if is_first else "second",
        "opponent": pairing.second if is_first else pairing.first,
    }


def _values(table: Table, row: StandingsRow) -> list[dict[str, Any]]:
    """Return the tie-breaks of a player with their terms, in the order of the event."""
    texts, terms = row.values_as_json(), row.terms_as_json()
    return [
        {
            "label": label,
            "text": texts[label],
            "terms": [
                term | {"player": table.players.get(term["number"])} for term in terms[label]
            ],
        }
        for label in table.labels
    ]
