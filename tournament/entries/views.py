"""Entries, their state, check-in and consent, and the requested byes of an event."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import django_filters
from django.db.models import F, Q
from django.http import HttpResponse
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Actions, Call
from games.core.errors import Unprocessable, check_all, require_found
from games.core.filters import IdFilter, WordsFilter
from games.core.pagination import CursorPages
from games.core.permissions import Caller, can_see_drafts, may
from games.core.preconditions import Target, tag_for_writes
from games.core.references import absolute_url
from games.core.serializers import NoBody, validated, wrong_body
from games.core.tables.views import BOM_PARAMETER, LIST_FORMATS, TableListView
from games.core.types import described
from games.core.uploads.tasks import import_responses
from games.core.uploads.views import LIST_FILE, csv_parameters
from games.core.views import ACTIONS, ApiView, ValuesListView, endpoint, with_actions
from games.models import Player
from games.players.queries import named_player, no_player
from games.players.views import JSON, ImportList
from games.rules.text import Text
from tournament.core.lookup import UNPUBLISHED, ActionInEvent, own_account, tournament_seen_by
from tournament.core.queries import is_own, listed_entries
from tournament.core.references import entry_reference
from tournament.core.states import BEFORE_END
from tournament.entries.byes import cancel_bye, request_bye, require_round, set_availability
from tournament.entries.imports import COLUMNS, ENTRIES_IMPORTER, WAITING, ImportedEntries
from tournament.entries.lookup import ActionInEntry, EntryIn, allowed_entry_actions, entry_seen_by
from tournament.entries.queries import (
    ChangedEntry,
    EntryAvailability,
    EntryDetails,
    EntryWithActions,
    RequestedBye,
    bye_as_json,
    drafts_with_violations,
    entry_as_json,
    find_outdated_papers,
    missed_rounds,
    outdated_papers,
)
from tournament.entries.serializers import (
    AvailabilitySerializer,
    ByeRequestSerializer,
    EntryRequestSerializer,
    EntryRowsSerializer,
    WithdrawalSerializer,
)
from tournament.entries.services import (
    answer_entry,
    change_entry_state,
    check_birth_year,
    check_in,
    consent,
    enter_player,
    withdraw_entry,
)
from tournament.entries.states import ENTRY_CHANGES, bye_actions
from tournament.entries.tables import entries_document
from tournament.entries.targets import entry_target
from tournament.models import Bye, Entry, Tournament

ENTRIES_EXAMPLE = """\
name,country,seed_rating,birth_year,sex,category
Ada,POR,1900,1990,w,
Ben,CAN,1850,2011,m,junior
"""
ENTRY_ROWS = {
    "rows": [
        {"name": "Ada", "country": "POR", "seed_rating": 1900, "category": "open"},
        {"name": "Ben", "country": "CAN", "birth_year": 2011, "category": "junior"},
    ]
}
PRINTED_FIELDS = frozenset({"club", "seed_rating"})
"""The values on the card of a player, besides the pairing number."""


def entries_as_json(
    caller: Caller, tournament: Tournament, entries: Iterable[Entry]
) -> list[EntryDetails]:
    """Return entries with the values that only the event's officials and the player see, for them.

    The players and the ones that they were merged into are loaded.
    """
    is_official = can_see_drafts(caller, tournament.stream)
    own = own_account(caller, tournament)
    return [
        entry_as_json(
            tournament,
            entry,
            sees_all=is_official or entry.player.current.account_id == own is not None,
        )
        for entry in entries
    ]


def changed_entry_as_json(
    entry: Entry, changes: Iterable[str] = (), *, is_official: bool = True
) -> ChangedEntry:
    """Return an entry that was changed, with what the change means for papers, byes and drafts.

    Only officials see the papers and drafts, because these are not published.
    """
    edited = () if PRINTED_FIELDS.isdisjoint(changes) else (entry.pk,)
    event = entry.tournament
    return {
        **entry_as_json(event, entry),
        "outdated": find_outdated_papers(event, edited)
        if is_official
        else outdated_papers(event, ()),
        "missed_rounds": missed_rounds(entry),
        "warnings": drafts_with_violations(event) if is_official else [],
    }


class EnterPlayer(ActionInEvent):
    """Enter a player; in a running tournament, from the next unpaired round on.

    `birth_year`, `sex`, `category` serve prizes; only directors and the player see them. Those of
    the registration are private and not used: `warnings` of the tournament says who lacks one. A
    late entry changes the pairing numbers after its own (C.04.2): `outdated` lists the cards and
    sheets that were printed with other numbers.
    """

    rule = "enter"
    body = EntryRequestSerializer
    example = {"player_id": 17, "seed_rating": 1800}
    status = 201
    made = ("id", "url")
    location = "tournaments/{slug}/entries/{id}"
    done = gettext_noop("The player is entered.")

    def perform(self, call: Call, tournament: Tournament) -> ChangedEntry:
        values = dict(call.body)
        player_id = values.pop("player_id")
        player, _ = check_all(
            partial(_find_player, player_id),
            partial(check_birth_year, tournament, values.get("birth_year")),
        )
        return changed_entry_as_json(enter_player(tournament, player, by=call.account, **values))

    def made_target(self, call: Call, content: Any) -> Target:
        entry = Entry.objects.select_related("tournament").get(pk=content["id"])
        return entry_target(entry.tournament, entry)


def _find_player(number: int) -> Player:
    player = Player.objects.filter(pk=number, merged_into__isnull=True).first()
    if player is None:
        raise Unprocessable("unknown_player", no_player(number), at="/player_id")
    return player


class ChangeState(ActionInEntry):
    """Give an entry another state."""

    response = ChangedEntry
    has_precondition = True

    def perform(self, call: Call, found: EntryIn) -> ChangedEntry:
        state = ENTRY_CHANGES[self.rule]
        return changed_entry_as_json(change_entry_state(found.entry, state, by=call.account))


class ApproveEntry(ChangeState):
    """Approve an entry, which takes part then.

    In a running tournament it plays from the next unpaired round on, and the pairing numbers after
    its own change (C.04.2). 409 `no_place_left` if all places are taken.
    """

    rule = "approve"
    done = gettext_noop("The entry is accepted.")


class RefuseEntry(ChangeState):
    """Refuse an entry, which does not take part.

    Only before it has a pairing number: withdraw a player who has one (409 `playing`). The first of
    the waiting list takes a place that becomes free if the tournament says so (`fills_places`). It
    can be accepted later.
    """

    rule = "refuse"
    done = gettext_noop("The entry is refused.")


class PutOnWaitingList(ChangeState):
    """Put an entry on the waiting list.

    The list is in the order of entering, and its first entry takes the next place that becomes free
    before the start if the tournament says so (`fills_places`). Only before it has a pairing number
    (409 `playing`).
    """

    rule = "wait"
    done = gettext_noop("The entry is on the waiting list.")


class ReturnEntry(ChangeState):
    """Accept an entry again that was withdrawn.

    It plays from the next unpaired round on; paired rounds stay as they are. It also takes back a
    withdrawal from a later round.
    """

    rule = "return"
    done = gettext_noop("The player is back in the event.")


class WithdrawEntry(ActionInEntry):
    """Withdraw an entry, now or from a later round; for the player, too.

    Only directors `return` it. Paired rounds stay as they are, and nobody withdraws from a round
    that is published (409 `round_published`). `warnings` lists, for officials, the drafts that pair
    the player; they are published only if they are paired again, or with `accept`
    (`player_absent`).
    """

    rule = "withdraw"
    body = WithdrawalSerializer
    example = {"from_round": 4, "reason": "ill"}
    has_precondition = True
    done = gettext_noop("The player is withdrawn.")

    def perform(self, call: Call, found: EntryIn) -> ChangedEntry:
        entry = withdraw_entry(found.entry, **call.body, by=call.account)
        is_official = can_see_drafts(call, found.tournament.stream)
        return changed_entry_as_json(entry, is_official=is_official)


class CheckIn(ActionInEntry):
    """Check an entry in for the next round that is published; for the player, too.

    If `check_in` of the tournament is `tournament`, once is enough; if it is `round`, each round
    needs it. A player who has not checked in is not paired.
    """

    rule = "check_in"
    has_precondition = True
    done = gettext_noop("The player is checked in.")

    def perform(self, call: Call, found: EntryIn) -> EntryDetails:
        return entry_as_json(found.tournament, check_in(found.entry, self.rule, by=call.account))


class CheckOut(CheckIn):
    """Undo the check-in of an entry; for the player, too.

    A player who is not checked in is not paired; rounds that are paired stay as they are.
    """

    rule = "check_out"
    done = gettext_noop("The player is not checked in any more.")


class ConsentToRating(ActionInEntry):
    """Agree, as the entered player, that the games of the following rounds are rated.

    Tournaments that the officers of the pool approved do not need it. It takes a login of the
    player (`token_given_out` for a token that a director issued).
    """

    rule = "consent"
    done = gettext_noop("You have agreed that your games are rated.")

    def perform(self, call: Call, found: EntryIn) -> EntryDetails:
        return entry_as_json(found.tournament, consent(found.entry, by=call.account))


class AcceptEntry(ActionInEntry):
    """Accept, as the player, an entry that somebody else has made: one's own pages show it then.

    For the player, and until they have a login for who keeps the registration. It takes a login of
    their own (`token_given_out` for a token that a director issued).
    """

    rule = "accept"
    answer = Entry.Agreement.AGREED
    done = gettext_noop("You have agreed to the entry.")

    def perform(self, call: Call, found: EntryIn) -> EntryDetails:
        return entry_as_json(
            found.tournament, answer_entry(found.entry, self.answer, by=call.account)
        )


class DeclineEntry(AcceptEntry):
    """Decline an entry that somebody else has made; who has accepted it withdraws instead.

    Before the start, the entry is refused, and the organiser cannot approve it again
    (`declined_by_player`). Later it stays in the tables of the tournament, where the organiser sees
    that the player has declined; the player's own pages never show it.
    """

    rule = "decline"
    answer = Entry.Agreement.DECLINED
    done = gettext_noop("You have declined the entry.")


class SetAvailability(ActionInEntry):
    """Set the byes of an entry in all rounds that are not paired, by the number of the round.

    Rounds that are not named are played. A bye of a round that is paired and not complete must be
    named as it is (409 `round_paired`). For the player, too: half-point and zero-point byes,
    within `half_byes` and `half_byes_until_round` of the tournament.
    """

    rule = "availability"
    request = {
        JSON: {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/ByeKind"}}
    }
    examples = [OpenApiExample("byes", {"3": "half_bye", "4": "zero_bye"}, request_only=True)]
    done = gettext_noop("The byes are stored.")

    def read(self, call: Call, found: EntryIn, content: Any) -> Any:
        if isinstance(content, NoBody):
            detail = Text("the request has no body; send the byes by round, or {} for none")
            raise Unprocessable("invalid", detail, [wrong_body("required", detail)])
        return validated(AvailabilitySerializer, content)

    def perform(self, call: Call, found: EntryIn) -> EntryAvailability:
        tournament, entry = found
        by_director = may(call.user, call.auth, "entries.edit", stream=tournament.stream)
        byes = set_availability(entry, call.body, by=call.account, by_director=by_director)
        kinds = {str(bye.round): Bye.Kind(bye.kind) for bye in byes}
        url = absolute_url(f"tournaments/{tournament.slug}/entries/{entry.pk}")
        return {**entry_reference(entry), "availability": kinds, "url": url}


class GrantBye(ActionInEvent):
    """Grant an entry a bye in a round that is not paired yet.

    Players choose their own half-point and zero-point byes (`entries/{id}/availability`).
    Half-point byes are limited by `half_byes` and `half_byes_until_round`, for directors, too.
    """

    rule = "request_bye"
    body = ByeRequestSerializer
    example = {"entry_id": 9, "round": 3, "kind": "half_bye"}
    status = 201
    made = ("id", "url")
    location = "tournaments/{slug}/byes/{id}"
    done = gettext_noop("The bye is granted.")

    def perform(self, call: Call, tournament: Tournament) -> RequestedBye:
        number, kind, reason = (call.body[name] for name in ("round", "kind", "reason"))
        entry, _ = check_all(
            partial(_find_entry, tournament, call.body["entry_id"]),
            partial(require_round, tournament, number, at="/round"),
        )
        bye = request_bye(entry, number, Bye.Kind(kind), by=call.account, reason=reason)
        return bye_as_json(bye, shows_reason=True)


def _find_entry(tournament: Tournament, number: int) -> Entry:
    entry = tournament.entries.select_related("tournament").filter(pk=number).first()
    if entry is None:
        detail = Text(
            "there is no entry %(number)s in %(event)s", number=number, event=tournament.name
        )
        raise Unprocessable("unknown_entry", detail, at="/entry_id")
    return entry


class CancelBye(ActionInEvent):
    """Cancel a bye in a round that is not paired yet.

    The player is paired in it then. The pairing-allocated bye of a paired round is no bye in this
    sense: change or withdraw the pairings.
    """

    name = "cancel_bye"
    permission = "entries.edit"
    done = gettext_noop("The bye is cancelled.")

    def allowed_actions(self, call: Call, found: Tournament) -> Actions:
        """Return whether the bye can be cancelled; to others, the actions of the event."""
        bye = found.byes.filter(pk=call.address["bye_id"]).first()
        if bye is None or not may(call.user, call.auth, self.permission, stream=found.stream):
            return super().allowed_actions(call, found)
        return bye_actions(found, bye)

    def perform(self, call: Call, tournament: Tournament) -> None:
        number = call.address["bye_id"]
        bye = tournament.byes.select_related("tournament").filter(pk=number).first()
        detail = Text(
            "there is no bye %(number)s in %(event)s", number=number, event=tournament.name
        )
        cancel_bye(require_found(bye, detail), by=call.account)


class EntryFilter(django_filters.FilterSet):
    state = WordsFilter(choices=Entry.State.choices, label="one or several states")
    player = IdFilter(method="filter_player", label="the id of a player")

    def filter_player(self, entries: Any, _name: str, value: int) -> Any:
        """Return the entry of a player, whichever of their registrations it names."""
        return entries.filter(player__in=named_player(value).registration_ids())


class EntryList(TableListView):
    """The entries of the tournament.

    Applications that are not accepted only for its officials and the player. The tables have all
    entries by pairing number, and `entries/import` reads them; columns: `number,player,name,
    country,club,seed_rating,state`, for officials also `birth_year,sex,category`, and
    `fide,ids,seed_games,seed_reached_2400`. `number` is the pairing number, `player` the id of the
    player.
    """

    public_read = "slug"
    renderer_classes = LIST_FORMATS
    parameters = (BOM_PARAMETER,)
    queryset = Entry.objects.none()
    serializer_class = described(EntryDetails)
    filterset_class = EntryFilter
    post = endpoint(EnterPlayer)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        tournament = tournament_seen_by(request, kwargs["slug"])
        rows = self.rows(request, tournament)
        page = entries_as_json(request, tournament, self.paginate_queryset(rows) or [])
        return self.get_paginated_response(page)

    def file(self, request: Request, slug: str) -> HttpResponse:
        """Return all entries, with pairing number first."""
        tournament = tournament_seen_by(request, slug)
        by_number = F("pairing_number").asc(nulls_last=True)
        rows = list(self.rows(request, tournament).order_by(by_number, "pk"))
        is_official = can_see_drafts(request, tournament.stream)
        entries = entries_as_json(request, tournament, rows)
        players = {entry.player.current_id: entry.player.current for entry in rows}
        return self.render_table(
            entries_document(tournament, entries, players, is_official=is_official)
        )

    def rows(self, request: Request, tournament: Tournament) -> Any:
        """Return the entries that the caller sees and the filters select."""
        sees_all = can_see_drafts(request, tournament.stream)
        rows = (
            tournament.entries.all()
            if sees_all
            else listed_entries(tournament, own_account(request, tournament))
        )
        return self.filter_queryset(rows.select_related("player__merged_into"))


class EntryView(ApiView):
    parameters = (ACTIONS,)

    @extend_schema(responses=described(EntryWithActions))
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        """Return an entry; what is personal only for the tournament's officials and the player."""
        tournament = tournament_seen_by(request, slug)
        entry, sees_all = entry_seen_by(request, tournament, entry_id)
        if sees_all:
            tag_for_writes(request, entry_target(tournament, entry))
        (body,) = entries_as_json(request, tournament, [entry])
        return with_actions(
            request, body, lambda: allowed_entry_actions(request, tournament, entry)
        )


class ByRound(CursorPages):
    ordering = ("round", "entry_id")


class ByeList(ValuesListView):
    """The requested byes by round; only directors see the reasons.

    Others see their own byes and, until the last round is complete, those of published rounds.
    """

    pagination_class = ByRound
    shows_reasons = False
    post = endpoint(GrantBye)

    def get_queryset(self) -> Any:
        tournament = tournament_seen_by(self.request, self.kwargs["slug"])
        self.shows_reasons = can_see_drafts(self.request, tournament.stream)
        byes = tournament.byes.select_related("entry__player__merged_into")
        if self.shows_reasons or tournament.state not in BEFORE_END:
            return byes
        published = tournament.round_set.exclude(state__in=UNPUBLISHED).values("number")
        own = is_own(own_account(self.request, tournament), "entry__player")
        return byes.filter(own | Q(round__in=published))

    def row_as_json(self, row: Bye) -> RequestedBye:
        return bye_as_json(row, shows_reason=self.shows_reasons)


class ImportEntries(ImportList, ActionInEvent):
    """Enter the players of a list.

    The files and the columns of `players/import`, and the columns of an entry, such as `category`.
    Each line is another person, found or refused as there. A line whose `state` is not `accepted`,
    such as `withdrawn` in the file of the entries, enters nobody. Who is entered stays as they are:
    `differs` names what the file says otherwise. JSON has `rows` as there, with `category`.
    """

    name = "import_entries"
    importer = ENTRIES_IMPORTER
    parameters = [
        *csv_parameters(COLUMNS),
        OpenApiParameter(
            WAITING,
            bool,
            description="enter as many as there are free places, in the order of the lines, and put"
            " the others on the waiting list; otherwise such a list is refused",
        ),
    ]
    rows = EntryRowsSerializer
    request = {**LIST_FILE, JSON: EntryRowsSerializer}
    responses = import_responses(ImportedEntries)
    examples = [
        OpenApiExample("two entries", ENTRIES_EXAMPLE, media_type="text/csv", request_only=True),
        OpenApiExample("rows", ENTRY_ROWS, media_type=JSON, request_only=True),
    ]
    done = gettext_noop("The players of the file are entered.")
