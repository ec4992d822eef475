"""The first page of an event, for readers and for directors: its state, and what is next."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Count
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import Form, form_fields
from games.core.tables.html import Links, table_context
from games.rules import find_game
from tournament.core.actions import CHECK_IN_STATES
from tournament.core.cautions import find_cautions
from tournament.core.lookup import allowed_event_actions, allowed_round_actions
from tournament.core.pages import (
    EventPage,
    RunPage,
    actions_by_name,
    find_current_round,
    quoted_tag,
)
from tournament.core.queries import last_complete_round
from tournament.core.targets import round_target, tournament_target
from tournament.entries.queries import absent_entries, find_outdated_papers
from tournament.events.rating import rating_as_json
from tournament.events.ties import find_ties
from tournament.events.views import TRANSITION_ACTIONS
from tournament.models import Entry, Round, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.results.queries import disputed_games
from tournament.rounds.pages import card_address, card_link, game_address
from tournament.rounds.queries import RoundCount, count_games_by_round, load_pairings
from tournament.rounds.tables import pairings_document
from tournament.tables.recent import recent_current_table
from tournament.tables.standings import standings_document

MOST_SHOWN_BOARDS: Final = 8
MOST_LEADERS: Final = 8


class OverviewPage(EventPage):
    template = "tournament/events/overview.html"
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
            **(next_step(request, tournament, frame) if frame["is_official"] else {}),
            **first_boards(tournament, frame["current_round"]),
            **leaders(tournament, frame["current_round"]),
        }


def first_boards(tournament: Tournament, this_round: Round | None) -> dict[str, Any]:
    """Return the table of the first boards of a round, and how many results are missing."""
    if this_round is None:
        return {}
    base = f"/e/{tournament.slug}"
    pairings = load_pairings(this_round, boards=MOST_SHOWN_BOARDS)
    document = pairings_document(this_round, pairings)

    here = f"{base}/rounds/{this_round.number}"
    links: Links = {
        "marked_board": lambda record: f"{here}/boards/{record['board']}",
        "first_named": lambda record: card_address(base, record["first"]),
        "second_named": lambda record: card_address(base, record["second"]),
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
    table = recent_current_table(tournament, through=through)
    document = standings_document(replace(table, rows=table.rows[:MOST_LEADERS]))

    return {
        "standings": table,
        "leaders": table_context(
            replace(document, page=("rank", "name", *table.labels[:1], "country")),
            links={"name": card_link(tournament)},
        ),
    }


State = Tournament.State
MAIN_ACTION = {
    State.DRAFT: "open",
    State.REGISTRATION: "start",
    State.REVIEW: "finalise",
    State.FINAL: "archive",
    State.CANCELLED: "resume",
}
"""The transition to the next state."""
WHY = {
    State.DRAFT: _(
        "Check the settings and add entries; players can apply once the registration is open."
    ),
    State.REGISTRATION: _("The start assigns the pairing numbers and plans the rounds."),
    State.RUNNING: _("All rounds are complete."),
    State.REVIEW: _("Check the standings. Results can still be ruled; afterwards, corrected."),
    State.FINAL: _("Results can still be corrected; an archived event only by the site's staff."),
    State.CANCELLED: _("The event is cancelled; it can go on as before."),
}
"""What the reader must know about that transition."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """A step that a director does next: what, why, and where (below the pages of the event).

    A step that needs no look at that page is a form with an action of it.
    """

    label: str
    detail: str
    address: str
    action: str = ""
    if_match: str = ""


def next_step(request: Request, tournament: Tournament, frame: Mapping[str, Any]) -> dict[str, Any]:
    """Return what officials do next, and how many players have to check in before it."""
    current: Round | None = frame["run_round"]
    return {
        "step": find_step(request, tournament, current, count_games_by_round(tournament)),
        "absent": count_absent(tournament, current),
    }


def count_absent(tournament: Tournament, current: Round | None) -> int:
    """Return how many players have to check in before the current round is paired."""
    is_awaited = current is None or current.state == Round.State.PLANNED
    if not is_awaited or tournament.state not in CHECK_IN_STATES:
        return 0
    return absent_entries(tournament).count()


class RunOverviewPage(RunPage):
    template = "tournament/events/run_overview.html"
    section = "overview"
    actions = {name: Form(declared) for name, declared in TRANSITION_ACTIONS.items()}

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the actions of the event, its rounds with their counts, and what is open."""
        allowed = actions_by_name(allowed_event_actions(request, tournament))
        counts = count_games_by_round(tournament)
        current = find_current_round(rounds)
        states = Counter(
            dict(tournament.entries.order_by().values_list("state").annotate(Count("pk")))
        )
        disputed = disputed_games(tournament)
        main = MAIN_ACTION.get(State(tournament.state), "")
        step = find_step(request, tournament, current, counts)
        why = WHY.get(State(tournament.state), "")
        if tournament.state == State.RUNNING and current is not None:
            is_unneeded = current.state == Round.State.PLANNED and _can_review(allowed)
            if is_unneeded:
                step, why = None, _("No further round can be played.")
            if is_unneeded or current.completed_at is not None:
                main = "review"
        return {
            "allowed": allowed,
            "main": main,
            "why": why,
            "rating": rating_as_json(tournament),
            "transitions": [
                {
                    "name": name,
                    "label": declared.label,
                    "allowed": allowed[name],
                    "fields": declared.body
                    and form_fields(declared.body(), ["reason"], state=self.form, action=name),
                }
                for name, declared in TRANSITION_ACTIONS.items()
                if name in allowed
            ],
            "if_match": quoted_tag(tournament_target(tournament)),
            "round_rows": [(this_round, counts.get(this_round.number)) for this_round in rounds],
            "cautions": find_cautions(tournament)
            if tournament.state in (State.DRAFT, State.REGISTRATION, State.RUNNING)
            else [],
            "ties": _count_undecided_ties(tournament),
            "step": step,
            "absent": count_absent(tournament, current),
            "applied": states[Entry.State.APPLIED],
            "accepted": states[Entry.State.ACCEPTED],
            "waiting": states[Entry.State.WAITING],
            "disputed": disputed,
            "outdated": find_outdated_papers(tournament),
        }


def _can_review(allowed: Mapping[str, Any]) -> bool:
    review = allowed.get("review")
    return review is not None and review["level"] != "forbidden"


def _count_undecided_ties(tournament: Tournament) -> int:
    """Return how many ties a director may have to decide: before a bracket, and in the end."""
    has_bracket = PAIRING_SYSTEMS[tournament.system].find_ties is not None
    if tournament.state == State.REVIEW:
        return sum(not tie.by for tie in find_ties(tournament))
    if tournament.state == State.RUNNING and has_bracket:
        return sum(tie.decides and not tie.by for tie in find_ties(tournament))
    return 0


def find_step(
    request: Request,
    tournament: Tournament,
    current: Round | None,
    counts: dict[int, RoundCount],
) -> NextStep | None:
    """Return what is next in a running event; None if that is a transition of the event."""
    if tournament.state != State.RUNNING or current is None:
        return None
    number, count = current.number, counts.get(current.number)
    page = f"run/rounds/{number}"
    if current.state == Round.State.PLANNED:
        detail = gettext("Check the round first: who is absent, who has a bye.")
        return NextStep(gettext("Pair round %d") % number, detail, page)
    if current.state == Round.State.DRAFTED:
        detail = gettext("Only officials see the draft.")
        return NextStep(gettext("Publish round %d") % number, detail, page)
    if current.state != Round.State.PUBLISHED:
        return None
    if count and count.missing:
        detail = ngettext(
            "%(missing)s of %(results)s results is missing",
            "%(missing)s of %(results)s results are missing",
            count.missing,
        )
        detail %= {"missing": count.missing, "results": count.results}
        return NextStep(
            gettext("Enter the results of round %d") % number, detail, f"{page}/results"
        )
    detail = gettext("All results are there.")
    step = NextStep(gettext("Complete round %d") % number, detail, page)
    allowed = actions_by_name(allowed_round_actions(request, current))["complete"]
    if allowed["level"] == "forbidden":
        return step
    return replace(step, action="complete", if_match=quoted_tag(round_target(current)))
