"""Entries: the list, a single entry, corrections.

Actions of an entry: its state, check-in, availability, the consent to rating.

The tokens that are valid for one event only: personal ones of players, and others.

Requested byes.
"""

from collections.abc import Callable, Iterable
from typing import Any

import django_filters
from django.db.models import Q
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.tokens import issue_personal_token, revoke_event_token
from games.core.accounts.views import TokenPages
from games.core.actions import list_actions_in_refusals
from games.core.errors import NotFound, Unprocessable
from games.core.pagination import CursorPages
from games.core.permissions import may
from games.core.preconditions import tag_for_writes, unless_changed
from games.core.requests import can_see_drafts, current_account, maybe_dry_run, validated_body
from games.core.serializers import require_no_members
from games.core.views import ApiView, ValuesListView
from games.models import Player, Token
from games.players.serializers import EventTokenSerializer
from games.rules.text import Text
from tournament.core.actions import BEFORE_END, ENTRY_CHANGES, bye_actions
from tournament.core.locking import entry_target
from tournament.core.lookup import (
    UNPUBLISHED,
    allowed_entry_actions,
    entry_of,
    entry_seen_by,
    own_account,
    require_in_entry,
    require_in_event,
    require_tournament,
    tournament_seen_by,
)
from tournament.core.queries import is_own, listed_entries, missed_rounds
from tournament.core.violations import drafts_with_violations
from tournament.entries.byes import cancel_bye, request_bye, set_availability
from tournament.entries.queries import find_outdated_papers, outdated_papers
from tournament.entries.serializers import (
    AvailabilityResponseSerializer,
    AvailabilitySerializer,
    ByeRequestSerializer,
    ByeSerializer,
    ChangedEntrySerializer,
    EntryChangeSerializer,
    EntryRequestSerializer,
    EntrySerializer,
    EntryWithActionsSerializer,
    PersonalTokenSerializer,
    WithdrawalSerializer,
)
from tournament.entries.services import (
    PRIVATE_VALUES,
    change_entry_state,
    check_in,
    consent,
    edit_entry,
    enter_player,
    withdraw_entry,
)
from tournament.models import Bye, Entry, Tournament


class EntryFilter(django_filters.FilterSet):
    state = django_filters.ChoiceFilter(choices=Entry.State.choices)


def personal_values_filter(
    request: Request, tournament: Tournament
) -> Callable[[dict[str, Any], int | None], dict[str, Any]]:
    """Return a function that removes the personal values that the caller may not see.

    It takes the JSON of an entry and the id of the player's account.
    """
    is_director = can_see_drafts(request, tournament.stream)
    own = own_account(request, tournament)

    def visible(entry: dict[str, Any], player_account: int | None) -> dict[str, Any]:
        if is_director or (own is not None and player_account == own):
            return entry
        return {name: value for name, value in entry.items() if name not in PRIVATE_VALUES}

    return visible


PRINTED_ENTRY_FIELDS = frozenset({"club", "seed_rating"})
"""The values on the card of a player, besides the pairing number."""


def changed_entry_as_json(
    entry: Entry, changes: Iterable[str] = (), *, is_official: bool = True
) -> dict[str, Any]:
    """Return an entry that was changed, with what the change means for papers, byes and drafts.

    Only officials see the papers and drafts, because these are not published.
    """
    edited = () if PRINTED_ENTRY_FIELDS.isdisjoint(changes) else (entry.pk,)
    event = entry.tournament
    return {
        **EntrySerializer(entry).data,
        "outdated": find_outdated_papers(event, edited)
        if is_official
        else outdated_papers(event, ()),
        "missed_rounds": missed_rounds(entry),
        "warnings": drafts_with_violations(event) if is_official else [],
    }


ENTRY_PLAYER_COLUMNS = ("id", "name", "country", "club", "account_id")
OWN_COLUMNS = (
    "seed_rating", "lot", "consented_at", "club", "first_round", "last_round", "checked_in_round",
    *PRIVATE_VALUES,
)  # fmt: skip


class EntryList(ValuesListView):
    """The entries of the event.

    Applications that are not accepted only for its officials and the player.
    """

    public_read = "slug"
    queryset = Entry.objects.none()
    serializer_class = EntrySerializer
    filterset_class = EntryFilter
    fields = (
        "id", "state", "pairing_number", *OWN_COLUMNS,
        *(f"player__{name}" for name in ENTRY_PLAYER_COLUMNS),
        *(f"player__merged_into__{name}" for name in ENTRY_PLAYER_COLUMNS),
    )  # fmt: skip

    def get_queryset(self) -> Any:
        tournament = tournament_seen_by(self.request, self.kwargs["slug"])
        self.visible = personal_values_filter(self.request, tournament)
        if can_see_drafts(self.request, tournament.stream):
            return tournament.entries.all()
        return listed_entries(tournament, own_account(self.request, tournament))

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        is_merged = row["player__merged_into__id"] is not None
        player = "player__merged_into__" if is_merged else "player__"
        entry = {
            "id": row["id"],
            "player": {
                "id": row[f"{player}id"],
                "name": row[f"{player}name"],
                "country": row[f"{player}country"],
                "club": row[f"{player}club"],
            },
            "state": row["state"],
            "pairing_number": row["pairing_number"],
            **{name: row[name] for name in OWN_COLUMNS},
        }
        return self.visible(entry, row[f"{player}account_id"])

    @extend_schema(
        operation_id="enter_player",
        request=EntryRequestSerializer,
        responses={201: ChangedEntrySerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter a player; in a running event, from the next unpaired round on.

        `birth_year`, `sex`, `category` serve prizes; only directors and the player see them. A late
        entry changes the pairing numbers after its own (C.04.2): `outdated` lists the cards and
        sheets that were printed with other numbers.
        """
        tournament, account = require_in_event(request, slug, "enter")
        content = validated_body(EntryRequestSerializer, request)
        player_id = content.pop("player")
        player = Player.objects.filter(pk=player_id, merged_into__isnull=True).first()
        if player is None:
            detail = Text("there is no player %(number)s", number=player_id)
            raise Unprocessable("unknown_player", detail, at="/player")
        with maybe_dry_run(request):
            entry = enter_player(tournament, player, by=account, **content)
            body = changed_entry_as_json(entry)
        return Response(body, status=201)


class EntryView(ApiView):
    has_precondition = True

    @extend_schema(operation_id="entry", responses=EntryWithActionsSerializer)
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        """Return an entry; what is personal only for the event's officials and the player."""
        tournament = tournament_seen_by(request, slug)
        entry, sees_all = entry_seen_by(request, tournament, entry_id)
        if sees_all:
            tag_for_writes(request, entry_target(tournament, entry))
        visible = personal_values_filter(request, tournament)
        body = visible(EntrySerializer(entry).data, entry.player.current.account_id)
        actions = allowed_entry_actions(request, tournament, entry)
        return Response({**body, "allowed_actions": actions})

    @extend_schema(
        operation_id="edit_entry", request=EntryChangeSerializer, responses=ChangedEntrySerializer
    )
    def patch(self, request: Request, slug: str, entry_id: int) -> Response:
        """Correct an entry; omitted values stay. After the start, `reason` is required.

        `lot` until the event starts, `first_round` until that round is paired. A `seed_rating`
        gives new pairing numbers until the fourth round is paired (C.04.2); where the numbers
        decide a schedule, Baku's groups or starting scores, until round 1 is. `outdated` lists the
        cards and sheets that were printed with other numbers.
        """
        tournament, entry, account = require_in_entry(request, slug, entry_id, "edit")
        changes = validated_body(EntryChangeSerializer, request)
        reason = changes.pop("reason", "")
        target = entry_target(tournament, entry)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            entry = edit_entry(entry, changes, reason=reason, by=account)
            body = changed_entry_as_json(entry, changes)
        return Response(body)


class EntryActionView(ApiView):
    has_precondition = True
    action_name = ""

    @extend_schema(request=None, responses=ChangedEntrySerializer)
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Accept, refuse or return an entry, or put it on the waiting list."""
        require_no_members(request.data)
        tournament, entry, account = require_in_entry(request, slug, entry_id, self.action_name)
        target = entry_target(tournament, entry)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            state = ENTRY_CHANGES[self.action_name]
            entry = change_entry_state(entry, state, by=account)
            body = changed_entry_as_json(entry)
        return Response(body)


class CheckIn(ApiView):
    has_precondition = True
    action_name = ""

    @extend_schema(request=None, responses=EntrySerializer)
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Check an entry in for the next round that is published, or out; for the player, too.

        If `check_in` of the event is `event`, once is enough; if it is `round`, each round needs
        it. A player who has not checked in is not paired.
        """
        require_no_members(request.data)
        tournament, entry, account = require_in_entry(request, slug, entry_id, self.action_name)
        target = entry_target(tournament, entry)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            check_in(entry, self.action_name, by=account)
            entry = entry_of(tournament, entry_id)
        return Response(EntrySerializer(entry).data)


class WithdrawEntry(ApiView):
    has_precondition = True

    @extend_schema(
        operation_id="withdraw_entry",
        request=WithdrawalSerializer,
        responses=ChangedEntrySerializer,
    )
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Withdraw an entry, now or from a later round; for the player, too.

        Only directors `return` it. Paired rounds stay as they are. `warnings` lists, for officials,
        the drafts that pair the player; they are published only if they are paired again, or with
        `accept` (`player-absent`).
        """
        tournament, entry, account = require_in_entry(request, slug, entry_id, "withdraw")
        content = validated_body(WithdrawalSerializer, request)
        target = entry_target(tournament, entry)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            entry = withdraw_entry(entry, **content, by=account)
            is_official = can_see_drafts(request, tournament.stream)
            body = changed_entry_as_json(entry, is_official=is_official)
        return Response(body)


class Availability(ApiView):
    problems = {"PUT": (409,)}

    @extend_schema(
        operation_id="set_availability",
        request=OpenApiTypes.OBJECT,
        responses=AvailabilityResponseSerializer,
        examples=[OpenApiExample("byes", {"3": "half-bye", "4": "zero-bye"}, request_only=True)],
    )
    def put(self, request: Request, slug: str, entry_id: int) -> Response:
        """Set the byes of an entry in all rounds that are not paired, by the number of the round.

        Rounds that are not named are played. For the player, too: half-point and zero-point byes,
        within `half_byes` and `half_byes_until_round` of the event.
        """
        tournament, entry, account = require_in_entry(request, slug, entry_id, "availability")
        kinds = AvailabilitySerializer().run_validation(request.data)
        user, token = current_account(request)
        by_director = may(user, token, "entries.edit", stream=tournament.stream)
        with maybe_dry_run(request):
            byes = set_availability(entry, kinds, by=account, by_director=by_director)
        availability = {str(bye.round): bye.kind for bye in byes}
        return Response({"entry": entry.pk, "availability": availability})


class EntryConsent(ApiView):
    @extend_schema(operation_id="consent_to_rating", request=None, responses=EntrySerializer)
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Agree, as the entered player, that the games of the following rounds are rated.

        Events that the officers of the pool approved do not need it. It takes a login of the player
        (`token_given_out` for a token that a director issued).
        """
        require_no_members(request.data)
        _, entry, account = require_in_entry(request, slug, entry_id, "consent")
        with maybe_dry_run(request):
            entry = consent(entry, by=account)
        return Response(EntrySerializer(entry).data)


@extend_schema_view(get=extend_schema(operation_id="event_tokens"))
class EventTokenList(ValuesListView):
    """The tokens that are valid for this event only, oldest first, without their secrets.

    These are the personal ones of its players, and those that accounts created for it.
    """

    queryset = Token.objects.none()
    serializer_class = EventTokenSerializer
    pagination_class = TokenPages
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        tournament, _ = require_tournament(request, kwargs["slug"], "tournament.tokens")
        rows = Token.objects.filter(stream=tournament.stream).select_related("user__player")
        return self.page_response(self.filter_queryset(rows))


class EventTokenView(ApiView):
    @extend_schema(operation_id="revoke_event_token", responses={204: None})
    def delete(self, request: Request, slug: str, token_id: str) -> Response:
        """Revoke a token that is valid for this event only."""
        tournament, account = require_tournament(request, slug, "tournament.revoke")
        with maybe_dry_run(request):
            if not revoke_event_token(tournament.stream, token_id, by=account):
                detail = Text(
                    "%(name)s has no token %(number)s", name=tournament.name, number=token_id
                )
                raise NotFound("not_found", detail)
        return Response(status=204)


class EntryToken(ApiView):
    @extend_schema(
        operation_id="personal_token", request=None, responses={201: PersonalTokenSerializer}
    )
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Issue a token for reports of the player in this event; older tokens are revoked.

        It has no scope that the token of the request lacks, and does not outlive it.
        """
        require_no_members(request.data)
        tournament, account = require_tournament(request, slug, "tournament.links")
        entry = entry_of(tournament, entry_id)
        _, within = current_account(request)
        with maybe_dry_run(request):
            token, secret = issue_personal_token(
                entry.player, tournament.stream, by=account, within=within
            )
        body = {
            "entry": entry.pk,
            "player": entry.player_id,
            "scopes": token.scopes,
            "expires_at": token.expiry,
            "token": secret,
        }
        return Response(body, status=201)


class ByRound(CursorPages):
    ordering = ("round", "entry_id")


@extend_schema_view(get=extend_schema(operation_id="byes"))
class ByeList(ValuesListView):
    """The requested byes by round; only directors see the reasons.

    Others see their own byes and, until the last round is complete, those of published rounds.
    """

    queryset = Bye.objects.none()
    serializer_class = ByeSerializer
    pagination_class = ByRound
    fields = ("id", "entry_id", "round", "kind", "reason")
    shows_reasons = False

    def get_queryset(self) -> Any:
        tournament = tournament_seen_by(self.request, self.kwargs["slug"])
        self.shows_reasons = can_see_drafts(self.request, tournament.stream)
        if self.shows_reasons or tournament.state not in BEFORE_END:
            return tournament.byes.all()
        published = tournament.round_set.exclude(state__in=UNPUBLISHED).values("number")
        own = is_own(own_account(self.request, tournament), "entry__player")
        return tournament.byes.filter(own | Q(round__in=published))

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": row["id"],
            "entry": row["entry_id"],
            "round": row["round"],
            "kind": row["kind"],
            "reason": row["reason"] if self.shows_reasons else "",
        }

    @extend_schema(
        operation_id="request_bye", request=ByeRequestSerializer, responses={201: ByeSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Grant an entry a bye in a round that is not paired yet."""
        tournament, account = require_in_event(request, slug, "request_bye")
        content = validated_body(ByeRequestSerializer, request)
        entry = tournament.entries.select_related("tournament").filter(pk=content["entry"]).first()
        if entry is None:
            detail = Text(
                "there is no entry %(number)s in %(event)s",
                number=content["entry"],
                event=tournament.name,
            )
            raise Unprocessable("unknown_entry", detail, at="/entry")
        kind = Bye.Kind(content["kind"])
        with maybe_dry_run(request):
            bye = request_bye(entry, content["round"], kind, by=account, reason=content["reason"])
        return Response(ByeSerializer(bye).data, status=201)


class ByeView(ApiView):
    problems = {"DELETE": (409,)}

    @extend_schema(operation_id="cancel_bye", responses={204: None})
    def delete(self, request: Request, slug: str, bye_id: int) -> Response:
        """Cancel a bye in a round that is not paired yet."""
        tournament, account = require_tournament(request, slug, "entries.edit")
        bye = tournament.byes.select_related("tournament").filter(pk=bye_id).first()
        if bye is None:
            raise NotFound(
                "not_found",
                Text(
                    "there is no bye %(number)s in %(event)s", number=bye_id, event=tournament.name
                ),
            )
        list_actions_in_refusals(request, lambda: bye_actions(tournament, bye))
        with maybe_dry_run(request):
            cancel_bye(bye, by=account)
        return Response(status=204)
