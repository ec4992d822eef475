"""Entries, byes, and the personal tokens of those who play."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.accounts.tokens import issue_personal_token
from games.http.errors import NotFound, Unprocessable
from games.http.generics import ValuesListView
from games.http.request import (
    can_see_drafts,
    maybe_dry_run,
    require_account,
    validated_body,
    viewer,
)
from games.models import Player
from games.serializers.fields import results_of
from tournament.models import Bye, Entry, Tournament
from tournament.serializers.entries import (
    ByeRequest,
    ByeSerializer,
    EntryChange,
    EntryRequest,
    EntrySerializer,
    PersonalToken,
)
from tournament.services import entries
from tournament.views.lookup import entry_of, tournament_seen_by

WORDS = {
    "accept": Entry.State.ACCEPTED,
    "refuse": Entry.State.REFUSED,
    "withdraw": Entry.State.WITHDRAWN,
    "return": Entry.State.ACCEPTED,
}


def reading_player(request: Request, tournament: Tournament) -> int | None:
    """The account whose own entry this request may read whole."""
    account, stream = viewer(request, "tournament.see")
    return account.pk if account and stream in ("", tournament.stream) else None


class EntryList(ValuesListView):
    """Who takes part."""

    queryset = Entry.objects.none()
    serializer_class = EntrySerializer
    filterset_fields = ["state"]
    fields = (
        "id", "player_id", "player__name", "player__country", "player__club", "state",
        "seed_rating", "pairing_number", "lot", "first_round", "player__account_id",
        *entries.PERSONAL,
    )  # fmt: skip

    def get_queryset(self) -> Any:
        tournament = tournament_seen_by(self.request, self.kwargs["slug"])
        self.is_directors = can_see_drafts(self.request, tournament.stream)
        self.account = reading_player(self.request, tournament)
        return tournament.entries.all()

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        is_own = self.account is not None and row["player__account_id"] == self.account
        return {
            "id": row["id"],
            "player": {
                "id": row["player_id"],
                "name": row["player__name"],
                "country": row["player__country"],
                "club": row["player__club"],
            },
            **{
                name: row[name]
                for name in ("state", "seed_rating", "pairing_number", "lot", "first_round")
            },
            **{name: row[name] for name in entries.PERSONAL if self.is_directors or is_own},
        }

    @extend_schema(
        operation_id="enter_player", request=EntryRequest, responses={201: EntrySerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter a player; while the event runs, from the next unpaired round on.

        `birth_year`, `sex`, `category` serve prizes; only directors and the player read them.
        """
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        content = validated_body(EntryRequest, request)
        player = Player.objects.filter(pk=content["player"], merged_into__isnull=True).first()
        if player is None:
            detail = f"there is no player {content['player']}"
            raise Unprocessable(
                "unknown_player",
                detail,
                [{"pointer": "/player", "code": "unknown_player", "detail": detail}],
            )
        with maybe_dry_run(request):
            entry = entries.enter_player(
                tournament,
                player,
                by=account,
                **{name: value for name, value in content.items() if name != "player"},
            )
        return Response(EntrySerializer(entry).data, status=201)


class EntryView(APIView):
    @extend_schema(operation_id="entry", responses=EntrySerializer)
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        """One entry; `birth_year`, `sex` and `category` for directors and the player alone."""
        tournament = tournament_seen_by(request, slug)
        entry = entry_of(tournament, entry_id)
        account = reading_player(request, tournament)
        is_own = account is not None and entry.player.account_id == account
        body = dict(EntrySerializer(entry).data)
        if not (is_own or can_see_drafts(request, tournament.stream)):
            body = {name: value for name, value in body.items() if name not in entries.PERSONAL}
        return Response(body)

    @extend_schema(operation_id="edit_entry", request=EntryChange, responses=EntrySerializer)
    def patch(self, request: Request, slug: str, entry_id: int) -> Response:
        """Note the number that an entry drew, or correct its `birth_year`, `sex` or `category`.

        The number until the event starts, the others until it is final; what is left out stays.
        """
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        entry = entry_of(tournament, entry_id)
        changes = validated_body(EntryChange, request)
        with maybe_dry_run(request):
            entry = entries.edit_entry(entry, changes, by=account)
        return Response(EntrySerializer(entry).data)


class EntryStep(APIView):
    word = ""

    @extend_schema(request=None, responses=EntrySerializer)
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Accept, refuse, withdraw or bring back an entry."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        entry = entry_of(tournament, entry_id)
        with maybe_dry_run(request):
            changed = entries.change_entry_state(entry, WORDS[self.word], by=account)
        return Response(EntrySerializer(changed).data)


class EntryToken(APIView):
    @extend_schema(operation_id="personal_token", request=None, responses={201: PersonalToken})
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """A token with which this player reports games of this event; an older one is revoked."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "tournament.links", stream=tournament.stream)
        entry = entry_of(tournament, entry_id)
        with maybe_dry_run(request):
            token, secret = issue_personal_token(entry.player, tournament.stream, by=account)
        body = {
            "entry": entry.pk,
            "player": entry.player_id,
            "scopes": token.scopes,
            "token": secret,
        }
        return Response(body, status=201)


class ByeList(APIView):
    @extend_schema(operation_id="byes", responses=results_of(ByeSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """The byes that were asked for; why, its directors read."""
        tournament = tournament_seen_by(request, slug)
        rows = list(tournament.byes.order_by("round", "entry_id"))
        if not can_see_drafts(request, tournament.stream):
            for bye in rows:
                bye.reason = ""
        return Response({"results": ByeSerializer(rows, many=True).data})

    @extend_schema(operation_id="request_bye", request=ByeRequest, responses={201: ByeSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Grant an entry a bye in a round that is not paired yet."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        content = validated_body(ByeRequest, request)
        entry = tournament.entries.select_related("tournament").filter(pk=content["entry"]).first()
        if entry is None:
            detail = f"there is no entry {content['entry']} in {tournament.name}"
            errors = [{"pointer": "/entry", "code": "unknown_entry", "detail": detail}]
            raise Unprocessable("unknown_entry", detail, errors)
        with maybe_dry_run(request):
            bye = entries.request_bye(
                entry,
                content["round"],
                Bye.Kind(content["kind"]),
                by=account,
                reason=content["reason"],
            )
        return Response(ByeSerializer(bye).data, status=201)


class ByeView(APIView):
    @extend_schema(operation_id="cancel_bye", responses={204: None})
    def delete(self, request: Request, slug: str, bye_id: int) -> Response:
        """Take a bye back, while its round is not paired."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        bye = tournament.byes.select_related("tournament").filter(pk=bye_id).first()
        if bye is None:
            raise NotFound("not_found", f"there is no bye {bye_id} in {tournament.name}")
        with maybe_dry_run(request):
            entries.cancel_bye(bye, by=account)
        return Response(status=204)
