"""Entries: the list, a single entry, corrections."""

from collections.abc import Callable, Iterable
from typing import Any

import django_filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Unprocessable
from games.core.preconditions import tag_for_writes, unless_changed
from games.core.requests import can_see_drafts, maybe_dry_run, validated_body
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.models import Player
from games.rules.text import Text
from tournament import queries
from tournament.core.locking import entry_target
from tournament.core.lookup import (
    allowed_entry_actions,
    entry_seen_by,
    own_account,
    require_in_entry,
    require_in_event,
    tournament_seen_by,
)
from tournament.core.violations import drafts_with_violations
from tournament.entries.queries import find_outdated_papers, outdated_papers
from tournament.entries.serializers import (
    ChangedEntrySerializer,
    EntryChangeSerializer,
    EntryRequestSerializer,
    EntrySerializer,
    EntryWithActionsSerializer,
)
from tournament.entries.services import enter_player
from tournament.models import Entry, Tournament
from tournament.services.entry_edits import edit_entry
from tournament.services.entry_payloads import PRIVATE_VALUES


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
        "missed_rounds": queries.missed_rounds(entry),
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
        return queries.listed_entries(tournament, own_account(self.request, tournament))

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
