"""Entries, and the personal tokens of players."""

from collections.abc import Callable
from typing import Any

import django_filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.tokens import issue_personal_token
from games.http.errors import Unprocessable
from games.http.generics import ValuesListView
from games.http.members import require_no_members
from games.http.preconditions import tag_for_writes, unless_changed
from games.http.request import (
    can_see_drafts,
    current_account,
    maybe_dry_run,
    validated_body,
)
from games.http.views import ApiView
from games.models import Player
from tournament import queries
from tournament.models import Entry, Tournament
from tournament.serializers.entries import (
    EntryChangeSerializer,
    EntryRequestSerializer,
    EntrySerializer,
    EntryWithActionsSerializer,
    PersonalTokenSerializer,
)
from tournament.services import entries
from tournament.services.entry_actions import ENTRY_CHANGES
from tournament.views.lookup import (
    allowed_entry_actions,
    entry_of,
    require_in_entry,
    require_in_event,
    require_tournament,
    tournament_seen_by,
)
from tournament.views.targets import entry_target


class EntryFilter(django_filters.FilterSet):
    state = django_filters.ChoiceFilter(field_name="shown_state", choices=Entry.State.choices)


def personal_values_filter(
    request: Request, tournament: Tournament
) -> Callable[[dict[str, Any], int | None], dict[str, Any]]:
    """Return a function that removes the personal values that the caller may not see.

    It takes the JSON of an entry and the id of the player's account.
    """
    is_director = can_see_drafts(request, tournament.stream)
    own = tournament.own_account

    def visible(entry: dict[str, Any], player_account: int | None) -> dict[str, Any]:
        if is_director or (own is not None and player_account == own):
            return entry
        return {name: value for name, value in entry.items() if name not in entries.PERSONAL}

    return visible


PLAYER_COLUMNS = ("id", "name", "country", "club", "account_id")


class EntryList(ValuesListView):
    """The entries of the event.

    While the event is running, only its officials see changes since a round was last published:
    late entries, withdrawals, and the pairing numbers that they change.
    """

    queryset = Entry.objects.none()
    serializer_class = EntrySerializer
    filterset_class = EntryFilter
    fields = (
        "id", "shown_state", "seed_rating", "number", "lot", "first_round", "consented_at",
        *entries.PERSONAL,
        *(f"player__{name}" for name in PLAYER_COLUMNS),
        *(f"player__merged_into__{name}" for name in PLAYER_COLUMNS),
    )  # fmt: skip

    def get_queryset(self) -> Any:
        tournament = tournament_seen_by(self.request, self.kwargs["slug"])
        self.visible = personal_values_filter(self.request, tournament)
        return queries.shown_entries(tournament)

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        player = {name: row.pop(f"player__{name}") for name in PLAYER_COLUMNS}
        current = {name: row.pop(f"player__merged_into__{name}") for name in PLAYER_COLUMNS}
        if current["id"] is not None:
            player = current
        account = player.pop("account_id")
        entry = {
            "id": row.pop("id"),
            "player": player,
            "state": row.pop("shown_state"),
            "pairing_number": row.pop("number"),
            **row,
        }
        return self.visible(entry, account)

    @extend_schema(
        operation_id="enter_player",
        request=EntryRequestSerializer,
        responses={201: EntrySerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter a player; in a running event, from the next unpaired round on.

        `birth_year`, `sex`, `category` serve prizes; only directors and the player see them.
        """
        tournament, account = require_in_event(request, slug, "enter")
        content = validated_body(EntryRequestSerializer, request)
        player_id = content.pop("player")
        player = Player.objects.filter(pk=player_id, merged_into__isnull=True).first()
        if player is None:
            detail = f"there is no player {player_id}"
            raise Unprocessable("unknown_player", detail, at="/player")
        with maybe_dry_run(request):
            entry = entries.enter_player(tournament, player, by=account, **content)
        return Response(EntrySerializer(entry).data, status=201)


class EntryView(ApiView):
    has_precondition = True

    @extend_schema(operation_id="entry", responses=EntryWithActionsSerializer)
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        """Return an entry; `birth_year`, `sex`, `category` only for directors and the player."""
        tournament = tournament_seen_by(request, slug)
        entry = entry_of(tournament, entry_id)
        if can_see_drafts(request, tournament.stream):
            tag_for_writes(request, entry_target(tournament, entry))
        visible = personal_values_filter(request, tournament)
        body = visible(EntrySerializer(entry).data, entry.player.current.account_id)
        actions = allowed_entry_actions(request, tournament, entry)
        return Response({**body, "allowed_actions": actions})

    @extend_schema(
        operation_id="edit_entry", request=EntryChangeSerializer, responses=EntrySerializer
    )
    def patch(self, request: Request, slug: str, entry_id: int) -> Response:
        """Set the drawn number of an entry, or correct its `birth_year`, `sex` or `category`.

        The number until the event starts, the others until it is final; omitted values stay.
        """
        tournament, entry, account = require_in_entry(request, slug, entry_id, "edit")
        changes = validated_body(EntryChangeSerializer, request)
        target = entry_target(tournament, entry)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            entry = entries.edit_entry(entry, changes, by=account)
        return Response(EntrySerializer(entry).data)


class EntryActionView(ApiView):
    has_precondition = True
    action_name = ""

    @extend_schema(request=None, responses=EntrySerializer)
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Accept, refuse, withdraw or return an entry."""
        require_no_members(request.data)
        tournament, entry, account = require_in_entry(request, slug, entry_id, self.action_name)
        target = entry_target(tournament, entry)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            state = ENTRY_CHANGES[self.action_name]
            entry = entries.change_entry_state(entry, state, by=account)
        return Response(EntrySerializer(entry).data)


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
