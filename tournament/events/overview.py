"""The first page of an event, for readers and for directors: its state, and what is next."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import Form, form_fields
from games.core.requests import is_flag_set
from games.core.tables.html import Links, table_context
from games.models import Account, HiddenName
from games.rules import find_game
from ratings.core.serializers import ReasonSerializer
from tournament.core.lookup import allowed_event_actions
from tournament.core.pages import (
    EventPage,
    RunPage,
    actions_of_page,
    find_current_round,
    public_reason,
    quoted_tag,
)
from tournament.core.queries import (
    cancellation_reason,
    last_complete_round,
    local_day,
    names_by_number,
)
from tournament.core.states import BEFORE_END, BEFORE_START, may_apply
from tournament.core.systems import rounds_needed
from tournament.core.targets import tournament_target
from tournament.entries.queries import (
    absent_entries,
    find_outdated_papers,
    namesakes_in,
    printed_before,
)
from tournament.entries.states import CHECK_IN_STATES, free_places
from tournament.events.announcements import (
    ANNOUNCED_IN,
    Announce,
    AnnouncementSerializer,
    WithdrawAnnouncement,
)
from tournament.events.rating import is_rated, rating_as_json
from tournament.events.serializers import ReviewSerializer
from tournament.events.sharing import sharing_context
from tournament.events.ties import Tie, find_ties
from tournament.events.views import TRANSITION_ACTIONS, ChangeStateForReason, EditTournament
from tournament.models import Entry, Round, Tournament
from tournament.pairing.errors import OptionError
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.results.queries import disputed_games, statements_of
from tournament.rounds.cautions import find_cautions
from tournament.rounds.live_boards import live_boards_context
from tournament.rounds.lookup import allowed_round_actions
from tournament.rounds.pages import card_address, card_link, dress_of_pairings, game_address
from tournament.rounds.queries import RoundCount, count_games_by_round, load_pairings, told_apart
from tournament.rounds.tables import pairings_document
from tournament.rounds.targets import round_target
from tournament.tables.bracket import bracket_context
from tournament.tables.groups import groups_document, open_groups
from tournament.tables.recent import recent_table
from tournament.tables.standings import dress_of_standings, standings_document

MOST_SHOWN_BOARDS: Final = 8
MOST_LEADERS: Final = 8
MOST_GROUPS: Final = 4
AS_PUBLIC: Final = "public"
"""The parameter with which an official sees the page of everyone."""
TIES: Final = "run/ties"
"""The page on which ties are decided."""


class OverviewPage(EventPage):
    template = "tournament/events/overview.html"
    public_read = "slug"
    shows_live_boards = True
    query_names = (AS_PUBLIC,)
    tab = "overview"

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the first boards and the leaders, the conditions, and the number of players."""
        frame = self.event_frame
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        found = leaders(tournament, frame["current_round"])
        is_over = tournament.state not in BEFORE_END
        is_directing = frame["is_official"] and not is_flag_set(request, AS_PUBLIC)
        return {
            "is_directing": is_directing,
            "rules": find_game(tournament.game),
            "system": PAIRING_SYSTEMS[tournament.system],
            "players": accepted.count(),
            "is_hidden": frame["is_official"]
            and HiddenName.objects.filter(about=tournament.stream).exists(),
            "has_handicaps": tournament.handicaps != Tournament.Handicaps.NONE,
            "cancelled_because": cancellation_reason(tournament),
            **sharing_context(tournament, frame["rounds"]),
            "free": free_places(tournament) if tournament.state in BEFORE_START else None,
            "needs_login": not frame["can_apply"]
            and frame["own_entry"] is None
            and not isinstance(request.user, Account)
            and may_apply(tournament, has_account=True),
            **(next_step(request, tournament, frame) if is_directing else {}),
            **live_boards_context(tournament),
            **first_boards(tournament, frame["current_round"]),
            **(bracket_context(tournament, frame) if frame["has_bracket"] else {}),
            **found,
            "corrections": list(found["standings"].corrections) if is_over and found else [],
        }


def first_boards(tournament: Tournament, this_round: Round | None) -> dict[str, Any]:
    """Return the table of the first boards of a round, and how many results are missing."""
    if this_round is None:
        return {}
    base = f"/e/{tournament.slug}"
    pairings = told_apart(
        load_pairings(this_round, boards=MOST_SHOWN_BOARDS), namesakes_in(tournament)
    )
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
        "boards": table_context(document, links=links, dress=dress_of_pairings(tournament)),
        "has_all_boards": len(pairings) < MOST_SHOWN_BOARDS,
        "missing": count.missing if count else 0,
    }


def leaders(tournament: Tournament, this_round: Round | None) -> dict[str, Any]:
    """Return the table of the first players after the last complete round; nothing before it.

    While groups are played, it is the tables of the first groups.
    """
    if this_round is None:
        return {}
    through = last_complete_round(tournament)
    if groups := open_groups(tournament, this_round, through):
        columns = ("rank", "name", *groups.labels[:1], "state")
        document = replace(groups_document(groups), page=columns)
        links = {"name": card_link(tournament)}
        return {
            "standings": groups,
            "groups": [
                {"title": title} | table_context(part, links=links)
                for title, part in document.by_section()[:MOST_GROUPS]
            ],
        }
    if not through:
        return {}
    table = recent_table(tournament, through=through)
    document = standings_document(replace(table, rows=table.rows[:MOST_LEADERS]))
    return {
        "standings": table,
        "leaders": table_context(
            replace(document, page=("rank", "name", *table.labels[:2])),
            links={"name": card_link(tournament)},
            dress=dress_of_standings(table),
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
    State.REVIEW: _("Results can still be ruled; afterwards, corrected."),
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
    counts = count_games_by_round(tournament)
    ties = undecided_ties(tournament) if tournament.state == State.RUNNING else []
    return {
        "step": find_step(request, tournament, current, counts, ties),
        "absent": count_absent(tournament, current) if has_come(tournament) else 0,
    }


def has_come(tournament: Tournament) -> bool:
    """Return True from the first day or the start of an event on: nobody checks in earlier."""
    return tournament.state == State.RUNNING or tournament.starts_on <= local_day(tournament)


def count_absent(tournament: Tournament, current: Round | None) -> int:
    """Return how many players have to check in before the current round is paired."""
    is_awaited = current is None or current.state == Round.State.PLANNED
    if not is_awaited or tournament.state not in CHECK_IN_STATES:
        return 0
    return absent_entries(tournament).count()


def find_fitting_rounds(tournament: Tournament, players: int) -> int | None:
    """Return the rounds that the system needs for these players, if the event has others."""
    if tournament.state != State.REGISTRATION or not players:
        return None
    with suppress(OptionError):
        needed = rounds_needed(tournament, players)
        return needed if needed != tournament.rounds else None
    return None


class RunOverviewPage(RunPage):
    template = "tournament/events/run_overview.html"
    section = "overview"
    actions = {name: Form(declared) for name, declared in TRANSITION_ACTIONS.items()} | {
        "edit": Form(EditTournament),
        "announce": Form(Announce),
        "withdraw-announcement": Form(WithdrawAnnouncement, ("number",)),
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the actions of the event, its rounds with their counts, and what is open."""
        allowed = actions_of_page(allowed_event_actions(request, tournament))
        counts = count_games_by_round(tournament)
        current = find_current_round(self.rounds)
        states = Counter(
            dict(tournament.entries.order_by().values_list("state").annotate(Count("pk")))
        )
        disputed = disputed_games(tournament)
        absent = count_absent(tournament, current)
        withdrawn = tournament.entries.filter(
            state=Entry.State.WITHDRAWN, pairing_number__isnull=False
        ).order_by("pairing_number")
        left = withdrawn.values_list("pk", "pairing_number", "player__name")
        main = MAIN_ACTION.get(State(tournament.state), "")
        ties = undecided_ties(tournament)
        step = find_step(request, tournament, current, counts, ties)
        why = WHY.get(State(tournament.state), "")
        rating = rating_as_json(tournament)
        is_waiting = rating is not None and rating["state"] == "waiting"
        confirmed = request.query_params.get("confirm", "")
        if tournament.state == State.FINAL and is_waiting and confirmed != main:
            main = ""  # the event is not done before its rating is
        if tournament.state == State.RUNNING and current is not None:
            is_unneeded = current.state == Round.State.PLANNED and _can_review(allowed)
            if is_unneeded:
                step, why = None, _("No further round can be played.")
            if is_unneeded or current.completed_at is not None:
                main = "review"
        return {
            "allowed": allowed,
            "main": main,
            "fitting_rounds": find_fitting_rounds(tournament, states[Entry.State.ACCEPTED]),
            "why": why,
            "rating": rating,
            "is_rated": rating is not None and is_rated(rating["id"]),
            "is_rating_awaited": tournament.state == State.FINAL and is_waiting,
            "confirmed": confirmed,
            "concerns": find_concerns(main, absent, states, is_rating_awaited=is_waiting),
            "transitions": [
                {
                    "name": name,
                    "label": declared.label,
                    "allowed": allowed[name],
                    "fields": issubclass(declared, ChangeStateForReason)
                    and public_reason(
                        form_fields(ReasonSerializer(), ["reason"], state=self.form, action=name)
                    ),
                }
                for name, declared in TRANSITION_ACTIONS.items()
                if name in allowed
            ],
            **form_fields(ReviewSerializer(), ["reason"], state=self.form),
            "announcing": form_fields(
                AnnouncementSerializer(), ["text"], state=self.form, action="announce"
            )["text"]
            if tournament.state in ANNOUNCED_IN
            else None,
            "if_match": quoted_tag(tournament_target(tournament)),
            "round_rows": [
                (this_round, counts.get(this_round.number)) for this_round in self.rounds
            ],
            "cautions": find_cautions(tournament)
            if tournament.state in (State.DRAFT, State.REGISTRATION, State.RUNNING)
            else [],
            "ties": 0 if step and step.address == TIES else len(ties),
            "step": step,
            "absent": absent if has_come(tournament) else 0,
            "applied": states[Entry.State.APPLIED],
            "accepted": states[Entry.State.ACCEPTED],
            "waiting": states[Entry.State.WAITING],
            "next_waiting": _next_waiting(tournament, states) if main != "review" else None,
            "withdrawn": [(pk, f"{number} {name}") for pk, number, name in left]
            if states[Entry.State.WITHDRAWN] and tournament.state == State.RUNNING
            else [],
            "disputed": disputed,
            "statements": statements_of(game.game for game in disputed),
            "outdated": printed_before(find_outdated_papers(tournament)),
        }


def find_concerns(
    main: str, absent: int, states: Mapping[str, int], *, is_rating_awaited: bool
) -> list[str]:
    """Return what a director reads before the start or the archive, which then ask first."""
    found = []
    if main == "archive":
        text = gettext(
            "An archived event is closed: only the site's staff can correct a result then, and"
            " it cannot be reopened."
        )
        found.append(text)
        if is_rating_awaited:
            found.append(gettext("Its rating still waits for a decision."))
    if main == "start" and absent:
        text = ngettext(
            "%(count)d of %(all)d players has not checked in.",
            "%(count)d of %(all)d players have not checked in.",
            absent,
        )
        found.append(text % {"count": absent, "all": states[Entry.State.ACCEPTED]})
    if main == "start" and (applied := states[Entry.State.APPLIED]):
        text = ngettext(
            "%(count)d application waits for an answer.",
            "%(count)d applications wait for an answer.",
            applied,
        )
        found.append(text % {"count": applied})
    return found


def _next_waiting(tournament: Tournament, states: Mapping[str, int]) -> Entry | None:
    """Return the first of the waiting list, if there is a place; no query without a list."""
    free = (tournament.places or 0) - states[Entry.State.ACCEPTED]
    if not states[Entry.State.WAITING] or free < 1 or tournament.state not in BEFORE_END:
        return None
    waiting = tournament.entries.filter(state=Entry.State.WAITING).select_related("player")
    return waiting.order_by("entered_at", "pk").first()


def _can_review(allowed: Mapping[str, Any]) -> bool:
    review = allowed.get("review")
    return review is not None and review["level"] != "forbidden"


def undecided_ties(tournament: Tournament) -> list[Tie]:
    """Return the ties that a director may have to decide: before a bracket, and in the end."""
    has_groups = PAIRING_SYSTEMS[tournament.system].rank_groups is not None
    if tournament.state == State.REVIEW:
        return [tie for tie in find_ties(tournament) if not tie.by]
    if tournament.state == State.RUNNING and has_groups:
        return [tie for tie in find_ties(tournament) if tie.decides and not tie.by]
    return []


def find_step(
    request: Request,
    tournament: Tournament,
    current: Round | None,
    counts: dict[int, RoundCount],
    ties: Sequence[Tie],
) -> NextStep | None:
    """Return what is next in a running event; None if that is a transition of the event.

    `ties` are those to be decided before the next round.
    """
    if tournament.state != State.RUNNING or current is None:
        return None
    number, count = current.number, counts.get(current.number)
    page = f"run/rounds/{number}"
    ties = [tie for tie in ties if not tie.is_late]
    if current.state == Round.State.PLANNED and ties:
        names = names_by_number(tournament, [n for tie in ties for n in tie.players])
        tied = "; ".join(
            gettext("group %(group)s: %(names)s")
            % {"group": tie.group, "names": ", ".join(names[number] for number in tie.players)}
            for tie in ties
        )
        detail = gettext("Tied for places that qualify: %(tied)s.") % {"tied": tied}
        label = gettext("Decide the tie") if len(ties) == 1 else gettext("Decide the ties")
        return NextStep(label, detail, TIES)
    if current.state == Round.State.PLANNED:
        detail = gettext("Check the round first: who is absent, who has a bye.")
        return NextStep(gettext("Pair round %d") % number, detail, page)
    if current.state == Round.State.DRAFTED:
        drawn = current.pairings.filter(version=current.version, second__isnull=False)
        has_bracket = PAIRING_SYSTEMS[tournament.system].draw_bracket is not None
        if not has_bracket and not drawn.exists():
            detail = gettext("The draft has no board: nobody plays.")
            return NextStep(gettext("Pair round %d again") % number, detail, page)
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
        if current.ends_at and current.ends_at <= timezone.now():
            ended = gettext(
                "The time of the round is over; decide the games that are not finished."
            )
            detail = f"{ended} {detail}"
        return NextStep(
            gettext("Enter the results of round %d") % number, detail, f"{page}/results"
        )
    detail = gettext("All results are there.")
    step = NextStep(gettext("Complete round %d") % number, detail, page)
    allowed = actions_of_page(allowed_round_actions(request, current))["complete"]
    if allowed["level"] == "forbidden":
        return step
    return replace(step, action="complete", if_match=quoted_tag(round_target(current)))
