"""The first page of an event: its first boards and leaders, what it is, and its rounds."""

from dataclasses import replace
from typing import Any, Final

from rest_framework.request import Request

from games.core.tables.html import Links, table_context
from games.rules import find_game
from tournament.models import Entry, Round, Tournament
from tournament.pages.event import EventPage
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.queries import last_complete_round
from tournament.queries.recent_tables import recent_current_table
from tournament.rounds.counts import count_games_by_round
from tournament.rounds.pages import card_address, card_link, game_address
from tournament.rounds.queries import load_pairings
from tournament.rounds.tables import pairings_document
from tournament.tables.standings import standings_document

MOST_SHOWN_BOARDS: Final = 8
MOST_LEADERS: Final = 8


class OverviewPage(EventPage):
    template = "tournament/overview.html"
    public_read = "slug"
    tab = "overview"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return the first boards and the leaders, the conditions, and the number of players."""
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        return {
            "rules": find_game(tournament.game),
            "system": PAIRING_SYSTEMS[tournament.system],
            "players": accepted.count(),
            "has_dates": any(this_round.starts_on for this_round in frame["rounds"]),
            "has_handicaps": tournament.handicaps != Tournament.Handicaps.NONE,
            "can_apply": tournament.state == Tournament.State.REGISTRATION,
            **first_boards(tournament, frame["current_round"]),
            **leaders(tournament, frame["current_round"]),
        }


def first_boards(tournament: Tournament, this_round: Round | None) -> dict[str, Any]:
    """Return the table of the first boards of a round, and how many results are missing."""
    if this_round is None:
        return {}
    base = f"/e/{tournament.slug}"
    pairings = load_pairings(tournament, this_round, boards=MOST_SHOWN_BOARDS)
    document = pairings_document(tournament, this_round, pairings)

    here = f"{base}/rounds/{this_round.number}"
    links: Links = {
        "marked_board": lambda record: f"{here}/boards/{record['board']}",
        "first_player": lambda record: card_address(base, record["first"]),
        "second_player": lambda record: card_address(base, record["second"]),
        "result_or_dash": game_address,
    }
    is_played = this_round.state == Round.State.PUBLISHED
    count = count_games_by_round(tournament).get(this_round.number) if is_played else None
    return {
        "boards": table_context(document, links=links),
        "has_all_boards": len(pairings) < MOST_SHOWN_BOARDS,
        "missing": count.missing if count else 0,
    }


def leaders(tournament: Tournament, this_round: Round | None) -> dict[str, Any]:
    """Return the table of the first players after the last complete round; nothing before it."""
    through = last_complete_round(tournament) if this_round else 0
    if not through:
        return {}
    table = recent_current_table(tournament, through=through, skip_unproven=True)
    document = standings_document(replace(table, rows=table.rows[:MOST_LEADERS]))

    return {
        "standings": table,
        "leaders": table_context(
            replace(document, page=("rank", "name", *table.labels[:1], "country")),
            links={"name": card_link(tournament)},
        ),
    }
