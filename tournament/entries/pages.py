"""The pages of the directors about entries: the list, one entry, the check-in; an answer to one."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.actions import Call
from games.core.forms import Form, FormState, Undo, form_fields, typed_values
from games.core.pages import PageView, just_done
from games.core.permissions import current_account, require_account
from games.core.requests import is_flag_set
from games.core.text import sentence
from games.core.uploads.pages import find_stream_task
from games.models import JournalLine, Player
from games.names import clean_name, fold_name
from games.players.queries import players_named
from games.players.serializers import PlayerChangeSerializer, PlayerDetailsSerializer
from games.players.targets import player_target
from games.players.views import RegisterPlayer
from tournament.core.lookup import ActionInEvent, require_tournament, tournament_seen_by
from tournament.core.pages import (
    RunPage,
    actions_of_page,
    event_action,
    findings_with_names,
    forbidden_to_scorers,
    quoted_tag,
)
from tournament.core.queries import ENDED_APPLICATIONS, LISTED_STATES
from tournament.core.states import (
    BEFORE_END,
    BEFORE_START,
    first_unpaired_round,
    next_round,
    wrong_state,
)
from tournament.core.systems import system_of
from tournament.core.violations import find_violations
from tournament.entries.applications import (
    RefuseApplications,
    unconfirmed_applications,
    waiting_applicants,
)
from tournament.entries.byes import paired_byes, possible_byes
from tournament.entries.imports import COLUMNS, WAITING
from tournament.entries.lookup import allowed_entry_actions, entry_of, entry_refusals
from tournament.entries.numbering import preview_numbers
from tournament.entries.queries import (
    count_renumbered,
    entry_as_json,
    find_outdated_papers,
    is_present,
    names_of_entries,
    namesakes_in,
    printed_before,
)
from tournament.entries.serializers import EntryChangeSerializer, WithdrawalSerializer
from tournament.entries.services import check_in_all, enter_player, enter_waiting, undo_check_in
from tournament.entries.states import AGREE, CHECK_IN_STATES, ENTRY_RULES
from tournament.entries.targets import entry_tags, entry_target
from tournament.entries.views import (
    AcceptEntry,
    ApproveEntry,
    CheckIn,
    CheckOut,
    DeclineEntry,
    EnterPlayer,
    ImportEntries,
    PutOnWaitingList,
    RefuseEntry,
    ReturnEntry,
    SetAvailability,
    WithdrawEntry,
)
from tournament.models import Bye, Entry, Round, Tournament
from tournament.players.forms import ListForm, find_players
from tournament.players.views import EditPlayer, find_rights

STATE_LABELS: Final[Mapping[str, str | Promise]] = {
    "approve": _("Accept"),
    "refuse": _("Refuse"),
    "wait": _("Waiting list"),
    "withdraw": _("Withdraw"),
    "return": _("Return"),
}
STATE_FORMS: Final = {
    change.rule: Form(change, ("entry_id",))
    for change in (ApproveEntry, RefuseEntry, PutOnWaitingList, WithdrawEntry, ReturnEntry)
}


class RegisterPlayerHere(RegisterPlayer):
    """Register a player in an event, whose owners and directors keep the registration."""

    def find(self, call: Call) -> Tournament:
        return tournament_seen_by(call, call.address["slug"])

    def check(self, call: Call, found: Tournament) -> None:
        require_account(call, "entries.edit", stream=found.stream)

    def stream(self, call: Call) -> str:
        return f"tournament/{call.address['slug']}"


class RegisterAndEnter(RegisterPlayerHere):
    """Register a player in an event and enter them, in one step."""

    name = "register_and_enter"
    status = 201
    done = gettext_noop("The player is registered and entered.")
    enter = staticmethod(enter_player)

    def perform(self, call: Call, found: Any) -> dict[str, Any]:
        content = super().perform(call, None)
        player = Player.objects.get(pk=content["id"])
        self.enter(found, player, by=call.account)
        return content


class RegisterAndWait(RegisterAndEnter):
    """Register a player in an event whose places are taken, on the waiting list."""

    name = "register_and_wait"
    done = gettext_noop("The player is on the waiting list.")
    enter = staticmethod(enter_waiting)


PAYMENTS: Final = ("paid", "unpaid")
"""The actions of tournament/events/entries.py that note whether a fee is paid."""
MOST_LATE_NUMBERS: Final = 5
REGISTRATIONS: Final = ("register", "register-enter", "register-wait")
NEW_PLAYER = ("name", "country", "club", "birth_year", "seed_rating")


CHANGED_STATE: Final[Mapping[str, str]] = {
    "approve": gettext_noop("%(name)s is accepted."),
    "refuse": gettext_noop("%(name)s is refused."),
    "wait": gettext_noop("%(name)s is on the waiting list."),
    "withdraw": gettext_noop("%(name)s is withdrawn."),
    "return": gettext_noop("%(name)s is back in the event."),
    "check-in": gettext_noop("%(name)s is checked in."),
    "check-out": gettext_noop("%(name)s is missing again."),
    "paid": gettext_noop("%(name)s has paid the fee."),
    "unpaid": gettext_noop("%(name)s has not paid the fee."),
}
"""What the notice says after a change of an entry's state or presence."""


def notice_of_list(request: Request) -> dict[str, str]:
    """Return the notice of a list that was entered: how many are in, and how many wait."""
    query = request.query_params
    sent = [query.get(name, "") for name in ("entered", WAITING)]
    are_numbers = all(re.fullmatch("[0-9]{1,5}", text) for text in sent)
    if just_done(request) != "import" or request.method != "GET" or not are_numbers:
        return {}
    entered, waiting = map(int, sent)
    parts = []
    if entered or not waiting:
        text = ngettext("%(count)d player is entered", "%(count)d players are entered", entered)
        parts.append(text % {"count": entered})
    if waiting:
        text = ngettext(
            "%(count)d player is on the waiting list",
            "%(count)d players are on the waiting list",
            waiting,
        )
        parts.append(text % {"count": waiting})
    return {"done": f"{', '.join(parts)}."}


def notice_of(request: Request, name: str) -> dict[str, str]:
    """Return the notice of a change that was made to the entry of a player, if there was one."""
    sentence = CHANGED_STATE.get(just_done(request))
    is_shown = sentence and request.method == "GET"
    return {"done": gettext(sentence) % {"name": name}} if sentence and is_shown else {}


class EntriesPage(ListForm, RunPage):
    template = "tournament/entries/run_entries.html"
    section = "entries"
    list_parameters = (WAITING,)
    column_names = tuple(COLUMNS)
    effects = {
        "created": _("is registered and entered"),
        "known": _("is known, and entered"),
        "entered": _("is entered already"),
        WAITING: _("is put on the waiting list"),
        "left_out": _("is left out: the file says that this player does not play"),
    }
    actions = {
        "import": Form(ImportEntries, text="file"),
        "enter": Form(EnterPlayer),
        "register": Form(
            RegisterPlayerHere, sentence=gettext_noop("The player is registered; enter them now.")
        ),
        "register-enter": Form(RegisterAndEnter),
        "register-wait": Form(RegisterAndWait),
        "refuse-all": Form(RefuseApplications),
        **STATE_FORMS,
    }
    namesakes: Sequence[Player] = ()
    """The registered players who have the name of a new one: they may be the same person."""

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out an action; one with the name of somebody who is registered asks first."""
        if request.POST.get("action") == "import":
            return self.post_list(request, **address)
        sent = request.POST.get("action", "")
        if sent in REGISTRATIONS and not is_flag_set(request, "another"):
            self.namesakes = players_named(request.POST.get("name", ""))
            if self.namesakes:
                require_tournament(request, address["slug"], "entries.edit")
                self.form = FormState(sent, typed_values(request))
                return self.page(self.context(request, **address))
        return super().post(request, **address)

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page; after a registration, with the new player found."""
        path = f"/e/{address['slug']}/run/entries"
        if name == "register":
            return f"{path}?done=register&id={content['id']}"
        if name in (*STATE_FORMS, *PAYMENTS):
            return f"{path}?done={name}&entry={content['id']}#entry-{content['id']}"
        task = content.get("task") if isinstance(content, Mapping) else None
        if task or name != "import":
            return f"{path}?task={task['id']}" if task else f"{path}?done={name}"
        done = Counter(line["action"] for line in content["rows"])
        counts = {"entered": done["created"] + done["known"], WAITING: done[WAITING]}
        return f"{path}?{urlencode({'done': name, **counts})}"

    def undo(self, name: str, context: Mapping[str, Any]) -> Undo | None:
        """Return how a player who was withdrawn comes back."""
        changed = self.request.query_params.get("entry", "")
        rows = [row for row in context["listed"] if str(row["entry"].pk) == changed]
        if name != WITHDRAW or not rows or rows[0]["entry"].state != Entry.State.WITHDRAWN:
            return None
        return Undo("return", {"entry_id": changed, "if_match": f'"{rows[0]["tag"]}"'})

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the entries, the players that a search finds, and the forms."""
        rows = tournament.entries.select_related("player__merged_into")
        entries = list(rows.order_by("pairing_number", "player__folded_name"))
        tags = entry_tags(tournament, entries)
        names = names_of_entries(entries)
        listed: list[dict[str, Any]] = [
            {
                "entry": entry,
                "player": entry.player.current,
                "name": names[entry.player.current_id],
                "tag": tags[entry.pk],
            }
            for entry in entries
        ]
        entered = {row["player"].pk for row in listed}
        by_time = sorted(listed, key=lambda row: (row["entry"].entered_at, row["entry"].pk))
        queue = [row for row in by_time if row["entry"].state == Entry.State.WAITING]
        for position, row in enumerate(queue, 1):
            row |= {"position": position, "before": queue[0]["name"] if position > 1 else ""}
        namesakes: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in listed:
            namesakes[row["player"].folded_name].append(row)
        changed = request.query_params.get("entry", "")
        changed_names = [row["name"] for row in listed if str(row["entry"].pk) == changed]
        accepted = sum(entry.state == Entry.State.ACCEPTED for entry in entries)
        ended = [row for row in listed if row["entry"].state in ENDED_APPLICATIONS]
        gone = [row for row in listed if row["entry"].state in REASONS]
        reasons = _reasons_of(tournament) if gone else {}
        for row in gone:
            row["reason"] = reasons.get((row["entry"].ordinal, row["entry"].state), "")
        applied = [row for row in by_time if row["entry"].state == Entry.State.APPLIED]
        unconfirmed = unconfirmed_applications(tournament) if applied or queue else ()
        for row in applied + queue:
            row["is_unconfirmed"] = row["entry"].pk in unconfirmed
        for row in applied:
            alike = namesakes[row["player"].folded_name]
            row["namesakes"] = [other for other in alike if other is not row]
        return {
            **(notice_of(request, changed_names[0]) if changed_names else notice_of_list(request)),
            "namesakes": [
                {"player": player, "is_entered": player.pk in entered} for player in self.namesakes
            ],
            "look_alikes": _look_alikes([row["player"] for row in listed]),
            "listed": [row for row in listed if row["entry"].state in LISTED_STATES],
            "ended": ended,
            "is_ended_shown": any(str(row["entry"].pk) == changed for row in ended),
            "accepted": accepted,
            "free": max(0, (tournament.places or 0) - accepted),
            "waiting": applied + queue,
            "applicants": [
                found
                for found in (waiting_applicants(tournament) if len(applied) > 1 else ())
                if len(found.entries) > 1
            ],
            "found": _with_late_numbers(
                tournament,
                [
                    {"player": player, "is_entered": player.pk in entered}
                    for player in find_players(request)
                ],
            ),
            "late": self._late(tournament),
            "query": request.query_params.get("q", ""),
            "text": self.sent_text,
            "checked": self.checked,
            "columns": self.columns,
            "column_names": self.column_names,
            "encodings": self.encodings,
            "would_renumber": count_renumbered(self.checked.preview["outdated"])
            if self.checked and self.checked.preview
            else 0,
            "is_over": tournament.state not in BEFORE_END,
            "is_started": tournament.state not in BEFORE_START,
            "warnings": draft_warnings(tournament, self.rounds),
            **outdated_cards(tournament),
            "task": find_stream_task(request, tournament.stream),
            "allowed": event_action(request, tournament, "enter"),
            "fields": form_fields(
                PlayerDetailsSerializer(),
                NEW_PLAYER,
                state=self.form,
                action=self.form.action if self.form.action in REGISTRATIONS else "register",
            ),
        }

    def _late(self, tournament: Tournament) -> dict[str, Any] | None:
        """Return the number that a new player of a preview would get, and whom it would move."""
        typed = self.form.typed
        if self.form.action not in REGISTRATIONS or self.form.detail or not typed.get("name"):
            return None
        rating = str(typed.get("seed_rating", ""))
        seed_rating = int(rating) if rating.isdecimal() and len(rating) < 5 else None
        player = Player(name=clean_name(typed["name"]), seed_rating=seed_rating)
        return _with_late_numbers(tournament, [{"player": player, "is_entered": False}])[0]


REASONS: Final = (*ENDED_APPLICATIONS, Entry.State.WITHDRAWN)
"""The states that an entry gets with a reason, which the list shows."""


def _reasons_of(tournament: Tournament) -> dict[tuple[int, str], str]:
    """Return the last reason of each of these states of an entry, by its ordinal and the state."""
    kinds = [f"entry.{state}" for state in REASONS]
    lines = JournalLine.objects.filter(stream=tournament.stream, kind__in=kinds)
    columns = "payload__body__ordinal", "payload__body__state", "payload__body__reason"
    rows = lines.order_by("sequence").values_list(*columns)
    return {(ordinal, state): reason or "" for ordinal, state, reason in rows}


def _with_late_numbers(tournament: Tournament, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return players with the number each would get in a running event, and how many it moves."""
    if tournament.state != Tournament.State.RUNNING:
        return found
    new = [row for row in found if not row["is_entered"]]
    for row in new[:MOST_LATE_NUMBERS]:
        player = row["player"]
        entry = Entry(tournament=tournament, player=player, seed_rating=player.seed_rating or 0)
        order = preview_numbers(tournament, [entry])
        row["late_number"] = entry.pairing_number
        row["moved"] = len(order) - (entry.pairing_number or 0)
    return found


def outdated_cards(tournament: Tournament) -> dict[str, Any]:
    """Return the papers that are outdated if they were printed, and how many have another number.

    A player who entered since has no card that could be out of date.
    """
    outdated = printed_before(find_outdated_papers(tournament))
    return {"outdated": outdated, "renumbered": count_renumbered(outdated)}


def _look_alikes(players: Sequence[Player]) -> list[list[Player]]:
    """Return the players of an event whose names look alike and differ, with those of others."""
    groups: dict[str, list[Player]] = defaultdict(list)
    for player in players:
        groups[player.skeleton].append(player)
    return [group for group in groups.values() if len({player.name for player in group}) > 1]


class AnswerPage(PageView):
    """The question to a player whether they agree to an entry that somebody else has made."""

    template = "tournament/entries/answer.html"
    actions = {"accept": Form(AcceptEntry), "decline": Form(DeclineEntry)}

    def context(self, request: Request, slug: str = "", **address: Any) -> dict[str, Any]:
        """Return the entry, if the reader is its player or keeps the registration."""
        tournament = tournament_seen_by(request, slug)
        entry = entry_of(tournament, address["entry_id"])
        if refusal := entry_refusals(request, tournament, entry)[AGREE]:
            raise refusal
        user, _ = current_account(request)
        player = entry.player.current
        return {
            "event": tournament,
            "entry": entry,
            "player": player,
            "is_own": player.account_id == user.pk,
            "allowed": actions_of_page(allowed_entry_actions(request, tournament, entry)),
        }


WITHDRAW = "withdraw"
PERSON = ("name", "country", "club", "birth_year")


def availability_body(content: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the byes by round, from fields `round.N`, with those of paired rounds."""
    return paired_byes(address["entry_id"]) | content.get("round", {})


class EntryPage(RunPage):
    """An entry; tournament/events/entries.py adds the form of its values."""

    template = "tournament/entries/run_entry.html"
    section = "entries"
    earlier: Mapping[int, str] = {}
    actions = {
        "availability": Form(SetAvailability, body=availability_body),
        "person": Form(EditPlayer, ("player_id",)),
        **STATE_FORMS,
    }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out the action of a form; note the byes that it may change."""
        byes = Bye.objects.filter(
            entry=address["entry_id"], entry__tournament__slug=address["slug"]
        )
        self.earlier = dict(byes.values_list("round", "kind"))
        return super().post(request, **address)

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page; after a change of the byes, with those before it."""
        page = super().next_address(request, name, content, **address)
        if name != "availability":
            return page
        earlier = {f"round.{number}": kind for number, kind in self.earlier.items()}
        return f"{page}&{urlencode({'before': urlencode(earlier)})}"

    def undo(self, name: str, context: Mapping[str, Any]) -> Undo | None:
        """Return how the byes become what they were, or the player comes back."""
        before = self.request.query_params.get("before")
        if name == "availability" and before is not None:
            earlier = dict(parse_qsl(before))
            fields = {f"round.{number}": "" for number, _, _ in context["byes"]}
            changed = {field: kind for field, kind in earlier.items() if field in fields}
            return Undo("availability", fields | changed)
        cannot_return = context["allowed"]["return"]["level"] == "forbidden"
        if name != WITHDRAW or cannot_return:
            return None
        fields = {"entry_id": context["entry"].pk, "if_match": context["if_match"]}
        return Undo("return", fields)

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the entry, its fields, its byes by round and its actions."""
        entry = entry_of(tournament, address["entry_id"])
        player = entry.player.current
        own_name = namesakes_in(tournament).get(player.pk, player.name)
        listed = actions_of_page(allowed_entry_actions(request, tournament, entry))
        allowed = {**dict.fromkeys(ENTRY_RULES, forbidden_to_scorers()), **listed}
        granted = dict(Bye.objects.filter(entry=entry).values_list("round", "kind"))
        coming = range(first_unpaired_round(tournament), tournament.rounds + 1)
        if self.form.action == "availability":
            granted = {number: self.form.typed.get(f"round.{number}", "") for number in coming}
        byes = {number: granted.get(number, "") for number in coming}
        values: dict[str, Any] = {**entry_as_json(tournament, entry)}
        is_kept = find_rights(request, player).edit
        person = {name: getattr(player, name) for name in PERSON if is_kept}
        return {
            **notice_of(request, own_name),
            "entry": entry,
            "player": player,
            "own_name": own_name,
            "is_unconfirmed": entry.pk in unconfirmed_applications(tournament),
            "allowed": allowed,
            "changes": [
                (name, label, allowed[name])
                for name, label in STATE_LABELS.items()
                if name != WITHDRAW
            ],
            "withdrawal": form_fields(
                WithdrawalSerializer(), ("from_round", "reason"), state=self.form, action=WITHDRAW
            ),
            "warnings": draft_warnings(tournament, self.rounds),
            "if_match": quoted_tag(entry_target(tournament, entry)),
            "is_kept": is_kept,
            "player_if_match": quoted_tag(player_target(player)),
            "fields": form_fields(
                EntryChangeSerializer(),
                _editable(tournament, entry),
                values=values,
                state=self.form,
                action="edit",
            ),
            "person_fields": form_fields(
                PlayerChangeSerializer(), PERSON, values=person, state=self.form, action="person"
            ),
            "byes": [
                (number, kind, possible_byes(tournament, number, granted=kind))
                for number, kind in byes.items()
            ],
            **outdated_cards(tournament),
        }


def _editable(tournament: Tournament, entry: Entry) -> list[str]:
    """Return the fields of an entry that can change now: after the start, with a reason."""
    fixed = {"reason"} if tournament.state in BEFORE_START else {"lot"}
    if not (tournament.fee or entry.paid):
        fixed.add("paid")
    is_paired = entry.first_round < first_unpaired_round(tournament)
    if is_paired or system_of(tournament).has_schedule:
        fixed.add("first_round")
    if entry.state != Entry.State.WITHDRAWN and tournament.state != Tournament.State.REVIEW:
        fixed.add("expelled")
    return [name for name in EntryChangeSerializer().get_fields() if name not in fixed]


class CheckInAll(ActionInEvent):
    """Check in all players who are missing in the next round; for directors, on pages only."""

    name = "check_in_all"
    permission = "entries.edit"
    done = gettext_noop("All players are checked in.")

    def perform(self, call: Call, tournament: Tournament) -> dict[str, int]:
        lines = check_in_all(tournament, by=call.account)
        return {"first": lines[0].sequence, "last": lines[-1].sequence} if lines else {}


class UndoCheckInAll(ActionInEvent):
    """Undo the check-in of all players who were missing; for directors, on pages only."""

    name = "undo_check_in_all"
    permission = "entries.edit"
    done = gettext_noop("The players who were missing are missing again.")

    def perform(self, call: Call, tournament: Tournament) -> dict[str, int]:
        first, last = call.address["first"], call.address["last"]
        undo_check_in(tournament, first, last, by=call.account)
        return {}


class CheckInPage(RunPage):
    template = "tournament/entries/run_check_in.html"
    section = "check-in"
    actions = {
        "all": Form(CheckInAll),
        "undo-all": Form(UndoCheckInAll, ("first", "last")),
        "check-in": Form(CheckIn, ("entry_id",)),
        "check-out": Form(CheckOut, ("entry_id",)),
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the accepted entries in two groups: who is missing, and who is present."""
        accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
        entries = list(
            accepted.select_related("player__merged_into").order_by("player__folded_name")
        )
        number = next_round(tournament)
        tags = entry_tags(tournament, entries)
        names = names_of_entries(entries)
        missing: list[dict[str, Any]] = []
        present: list[dict[str, Any]] = []
        for entry in entries:
            row = {"entry": entry, "name": names[entry.player.current_id], "tag": tags[entry.pk]}
            (present if is_present(entry, number) else missing).append(row)
        changed = request.query_params.get("entry", "")
        shown = next((row for row in missing + present if str(row["entry"].pk) == changed), None)
        following = [
            other
            for other in missing
            if shown and fold_name(other["name"]) > fold_name(shown["name"])
        ] or missing
        return {
            **(notice_of(request, shown["name"]) if shown else {}),
            "number": number,
            "refusal": refusal(tournament),
            "missing": missing,
            "present": present,
            "changed": shown,
            "is_checked_in": shown in present,
            "following": following[0] if shown and following else None,
        }

    def undo(self, name: str, context: Mapping[str, Any]) -> Undo | None:
        """Return how the last check-in, or check-out, is taken back."""
        params = self.request.query_params
        if name == "all" and "first" in params and not context["refusal"]:
            return Undo("undo-all", {"first": params["first"], "last": params.get("last", "")})
        changed = context["changed"]
        if changed is None or context["refusal"]:
            return None
        action = "check-out" if context["is_checked_in"] else "check-in"
        fields = {"entry_id": changed["entry"].pk, "if_match": f'"{changed["tag"]}"'}
        return Undo(action, fields)

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, which names the player and has the focus on the next one."""
        if name in ("all", "undo-all"):
            return f"{request.path}?{urlencode({**content, 'done': name})}"
        return f"{request.path}?{urlencode({'entry': content['id'], 'done': name})}"


def refusal(tournament: Tournament) -> str:
    """Return why nobody can check in now; empty if players can."""
    if tournament.check_in == Tournament.CheckIn.NONE:
        return gettext("This event has no check-in; its settings can have one.")
    if tournament.state in CHECK_IN_STATES:
        return ""
    conflict = wrong_state(tournament.name, tournament.state, *CHECK_IN_STATES)
    return sentence(conflict.detail)


def draft_warnings(tournament: Tournament, rounds: Iterable[Round]) -> list[dict[str, Any]]:
    """Return the rules that drafts break now, such as a player in it who has withdrawn."""
    return [
        {"round": this_round.number, **finding}
        for this_round in rounds
        if this_round.state == Round.State.DRAFTED
        for finding in findings_with_names(tournament, find_violations(this_round))
    ]
