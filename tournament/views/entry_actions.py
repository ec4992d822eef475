"""Actions of an entry: its state, check-in, availability, the consent to rating."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.permissions import may
from games.core.preconditions import unless_changed
from games.core.requests import can_see_drafts, current_account, maybe_dry_run, validated_body
from games.core.views import ApiView
from games.http.members import require_no_members
from tournament.core.locking import entry_target
from tournament.core.lookup import entry_of, require_in_entry
from tournament.entries.byes import set_availability
from tournament.entries.serializers import (
    AvailabilityResponseSerializer,
    AvailabilitySerializer,
    ChangedEntrySerializer,
    EntrySerializer,
    WithdrawalSerializer,
)
from tournament.entries.services import change_entry_state, consent, withdraw_entry
from tournament.entries.views import changed_entry_as_json
from tournament.services.check_in import check_in
from tournament.services.entry_actions import ENTRY_CHANGES


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
