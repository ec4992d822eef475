"""Actions of an entry: accept, refuse, withdraw, return, and the consent to rating."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.members import require_no_members
from games.http.preconditions import unless_changed
from games.http.request import maybe_dry_run
from games.http.views import ApiView
from tournament.serializers.entries import ChangedEntrySerializer, EntrySerializer
from tournament.services import entries
from tournament.services.entry_actions import ENTRY_CHANGES
from tournament.views.entries import changed_entry_as_json
from tournament.views.lookup import require_in_entry
from tournament.views.targets import entry_target


class EntryActionView(ApiView):
    has_precondition = True
    action_name = ""

    @extend_schema(request=None, responses=ChangedEntrySerializer)
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Accept, refuse, withdraw or return an entry."""
        require_no_members(request.data)
        tournament, entry, account = require_in_entry(request, slug, entry_id, self.action_name)
        target = entry_target(tournament, entry)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            state = ENTRY_CHANGES[self.action_name]
            entry = entries.change_entry_state(entry, state, by=account)
            body = changed_entry_as_json(entry)
        return Response(body)


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
            entry = entries.consent(entry, by=account)
        return Response(EntrySerializer(entry).data)
