"""The frames of an event's pages: for everyone, with its tabs, and for its officials."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.http.response import HttpResponseBase
from django.utils.translation import get_language, gettext
from rest_framework.request import Request

from games.core.actions import Actions
from games.core.errors import Conflict, Unprocessable
from games.core.forms import FormField, FormState
from games.core.pages import PageView
from games.core.permissions import current_account, find_refusals, require_account
from games.core.preconditions import Target, require_change, tag_of
from games.core.tables.text import printable
from games.core.text import sentence, translated
from games.models import Account
from games.rules.text import Text
from tournament.core.heads import head_note, table_state
from tournament.core.lookup import (
    UNPUBLISHED,
    allowed_event_actions,
    can_see_forecast,
    fits_forecast,
    hide_draft,
    own_account,
    require_tournament,
    tournament_seen_by,
)
from tournament.core.queries import (
    FINISHED_ROUND_STATES,
    NO_NAMES,
    count_results,
    entry_with_number,
    is_own,
    local_day,
    names_by_number,
    number_of_player,
    numbered_entries,
    rounds_of,
)
from tournament.core.serializers import PUBLIC_REASON
from tournament.core.states import BEFORE_START, may_apply
from tournament.core.systems import system_of
from tournament.core.texts import KIND_TEXTS
from tournament.models import Entry, Round, Tournament
from tournament.pairing.findings import Finding, StatedFinding, with_names


class EventPage(PageView):
    """A page of an event; a subclass defines `template`, `tab` and `content`.

    Its `event_frame` is what the template needs around the page (the function).
    One that `is_costly` is not computed for a stranger who has the current page.
    """

    tab = ""
    is_costly = False
    event_frame: dict[str, Any]

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the frame of the event, and the content of the page."""
        is_tagged = self.is_costly and not isinstance(request.user, Account)
        state = table_state(slug) if is_tagged else []
        tournament = tournament_seen_by(request, slug)
        if is_tagged:
            address_and_day = (request.get_full_path(), local_day(tournament), get_language())
            require_change(request, tag_of(settings.VERSION, *address_and_day, state))
        self.event_frame = event_frame(request, tournament, tab=self.tab)
        return self.event_frame | self.content(request, tournament, **address)

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, or that of the event with why its state allows no such page."""
        try:
            return super().get(request, **address)
        except Conflict as refused:
            tournament = tournament_seen_by(request, address["slug"])
            self.template = "tournament/refused.html"
            frame = event_frame(request, tournament, tab=self.tab)
            return self.page(frame | {"reason": translated(refused.detail)}, status=refused.status)

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the context of the page itself."""
        return {}


def event_frame(request: Request, tournament: Tournament, *, tab: str = "") -> dict[str, Any]:
    """Return what the template of every page of an event needs, for any view.

    `next_round` is the first one that is not published.
    """
    rounds = rounds_of(tournament)
    user, token = current_account(request)
    permissions = "drafts.see", "tournament.links"
    refusals = find_refusals(user, token, permissions, stream=tournament.stream)
    is_official = refusals["drafts.see"] is None
    if not is_official:
        rounds = [hide_draft(this_round) for this_round in rounds]
    published = [this_round for this_round in rounds if this_round.state not in UNPUBLISHED]
    following = [this_round for this_round in rounds if this_round.state in UNPUBLISHED]
    current = current_round(tournament, published)
    own = own_entry(tournament, own_account(request, tournament))
    is_being_played = any(found.state == Round.State.PUBLISHED for found in published)
    return {
        "event": tournament,
        "tab": tab,
        "rounds": rounds,
        "current_round": current,
        "next_round": following[0] if following else None,
        "is_being_played": is_being_played,
        "progress": count_results([current]).get(current.pk)
        if current and is_being_played
        else None,
        "is_official": is_official,
        "is_director": refusals["tournament.links"] is None,
        "run_round": find_current_round(rounds)
        if is_official and tournament.state not in BEFORE_START
        else None,
        "has_forecast": tournament.state == Tournament.State.RUNNING
        and can_see_forecast(request, tournament)
        and partial(has_forecast, tournament, rounds),
        "has_clubs": partial(has_clubs, tournament),
        "has_groups": system_of(tournament).rank_groups is not None,
        "has_bracket": system_of(tournament).draw_bracket is not None,
        "own_entry": own,
        "can_apply": (own is None or own.state == Entry.State.RETRACTED)
        and may_apply(tournament, has_account=isinstance(user, Account) and token is None),
        "head": head_note(tournament),
        "journal_kinds": KIND_TEXTS,
    }


def has_forecast(tournament: Tournament, rounds: Sequence[Round]) -> bool:
    """Return True if the event is small enough for a forecast; one query, if a template asks."""
    left = sum(found.state not in FINISHED_ROUND_STATES for found in rounds)
    return fits_forecast(numbered_entries(tournament).count(), left)


def has_clubs(tournament: Tournament) -> bool:
    """Return True if any player of an event has a club; one query, if a template asks."""
    of_club = Q(club__gt="") | Q(player__club__gt="")
    return tournament.entries.filter(of_club, state=Entry.State.ACCEPTED).exists()


def current_round(tournament: Tournament, published: Sequence[Round]) -> Round | None:
    """Return the round that is being played, else the last published one.

    In a league, in which all rounds are open, it is the last one that has begun.
    """
    played = [found for found in published if found.state == Round.State.PUBLISHED]
    today = local_day(tournament)
    begun = [found for found in played if found.starts_on and found.starts_on <= today]
    return next(iter([*begun[-1:], *played[:1], *published[-1:]]), None)


def own_entry(tournament: Tournament, account: int | None) -> Entry | None:
    """Return the entry of an account; no query for a stranger."""
    if account is None:
        return None
    own = tournament.entries.filter(is_own(account, "player")).select_related("player")
    entry = own.order_by("pk").first()
    if entry is not None:
        entry.tournament = tournament
    return entry


class RunPage(PageView):
    """A page for the officials of an event; `section` is its place in the navigation.

    A subclass defines `details`, which is called with the event and the rest of the address;
    `rounds` are those of the event.
    """

    section = ""
    rounds: list[Round]

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the frame of the event, and the details of the page."""
        tournament = tournament_seen_by(request, slug)
        frame = event_frame(request, tournament, tab="run")
        frame |= {"section": self.section, "is_directing": True}
        if not frame["is_official"]:
            require_account(request, "drafts.see", stream=tournament.stream)
        self.rounds = frame["rounds"]
        return frame | self.details(request, tournament, **address)

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the context of this page."""
        return {}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out the action of a form for an official of the event."""
        require_tournament(request, address["slug"], "drafts.see")
        return super().post(request, **address)


def find_current_round(rounds: Iterable[Round]) -> Round | None:
    """Return the first round that is not complete, or the last one; None before the start."""
    last = None
    for this_round in rounds:
        last = this_round
        if this_round.state not in FINISHED_ROUND_STATES:
            break
    return last


def quoted_tag(target: Target) -> str:
    """Return the tag of an object as the page shows it, for the field `if_match`."""
    return f'"{target.current_tag(locked=False)}"'


def actions_of_page(actions: Actions) -> Actions:
    """Return the level of each action, and why it is forbidden as a sentence."""
    return {
        name: action | {"reason": sentence(action.get("reason", ""))}
        for name, action in actions.items()
    }


def findings_with_names(
    tournament: Tournament, findings: Iterable[Finding], namesakes: Mapping[int, str] = NO_NAMES
) -> list[StatedFinding]:
    """Return findings as JSON, with the numbers and names of their players; one query, if any."""
    found = list(findings)
    numbers = {number for one in found for number in one.players}
    names = names_by_number(tournament, numbers, namesakes)
    return [{**one.as_json(), "sentence": with_names(one.sentence, names)} for one in found]


def event_action(request: Request, tournament: Tournament, name: str) -> dict[str, Any]:
    """Return the level of an action of the event."""
    actions = actions_of_page(allowed_event_actions(request, tournament))
    return actions.get(name) or forbidden_to_scorers()


def forbidden_to_scorers() -> dict[str, Any]:
    """Return the level of an action that is not listed for the reader."""
    reason = gettext("Only the owners and directors of the event may do this.")
    return {"level": "forbidden", "reason": reason}


def public_reason(fields: Mapping[str, FormField]) -> dict[str, FormField]:
    """Return fields of a form whose reason is public, which says so."""
    return {**fields, "reason": replace(fields["reason"], help=gettext(PUBLIC_REASON))}


def entry_of_number(tournament: Tournament, text: str, *, at: str) -> int:
    """Return the entry of a player: `12`, `12 Ada Moon`, or a part of a name that only one has.

    Raises Unprocessable.
    """
    number = number_of_player(tournament, text)
    entry = None if number is None else entry_with_number(tournament, number)
    if entry is None:
        detail = Text(
            "%(text)s is no player of the event; choose one of the list", text=printable(text[:60])
        )
        raise Unprocessable("unknown_player", detail, at=at)
    return entry


def with_errors_by_line(form: FormState, *, items: str, lines: str) -> FormState:
    """Return a rejected form whose field `lines` has an item in each line that is not empty.

    The API names errors by the place in its list `items`; here they have the number of the line.
    """
    sent = str(form.typed.get(lines, "")).splitlines()
    numbers = [number for number, line in enumerate(sent, 1) if line.strip()]
    errors: dict[str, tuple[str, ...]] = {}
    for name, messages in form.errors.items():
        parts = name.split(".")
        place = int(parts[1]) if parts[0] == items and parts[1:] and parts[1].isdigit() else None
        if place is not None and place < len(numbers):
            begin = gettext("line %(line)d") % {"line": numbers[place]}
            name, messages = lines, tuple(f"{begin}: {message}" for message in messages)
        errors[name] = (*errors.get(name, ()), *messages)
    return replace(form, errors=errors)
