"""Entries, byes, and the personal tokens of those who play."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.errors import NotThere, Unprocessable
from games.models import Player
from games.serializers.answers import results_of
from games.services.tokens import issue_personal_token
from games.views.asking import effect, require_account, sees_drafts, sent
from games.views.rows import Rows
from tournament.models import Bye, Entry
from tournament.serializers.entries import (
    ByeRequest,
    ByeShape,
    EntryRequest,
    EntryShape,
    LotRequest,
    PersonalToken,
)
from tournament.services import entries
from tournament.services.numbering import set_lot
from tournament.views.finding import entry_of, tournament_seen_by

WORDS = {
    "accept": Entry.State.ACCEPTED,
    "refuse": Entry.State.REFUSED,
    "withdraw": Entry.State.WITHDRAWN,
    "return": Entry.State.ACCEPTED,
}


class EntryList(Rows):
    """Who takes part."""

    queryset = Entry.objects.none()
    serializer_class = EntryShape
    filterset_fields = ["state"]
    fields = (
        "id", "player_id", "player__name", "player__country", "player__club", "state",
        "seed_rating", "pairing_number", "lot", "first_round",
    )  # fmt: skip

    def get_queryset(self) -> Any:
        return tournament_seen_by(self.request, self.kwargs["slug"]).entries.all()

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
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
        }

    @extend_schema(operation_id="enter_player", request=EntryRequest, responses={201: EntryShape})
    def post(self, request: Request, slug: str) -> Response:
        """Enter a player; while the event runs, from the next unpaired round on."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        content = sent(EntryRequest, request)
        player = Player.objects.filter(pk=content["player"], merged_into__isnull=True).first()
        if player is None:
            detail = f"there is no player {content['player']}"
            raise Unprocessable(
                "unknown_player",
                detail,
                [{"pointer": "/player", "code": "unknown_player", "detail": detail}],
            )
        with effect(request):
            entry = entries.enter_player(
                tournament,
                player,
                by=account,
                seed_rating=content["seed_rating"],
                lot=content["lot"],
            )
        return Response(EntryShape(entry).data, status=201)


class EntryView(APIView):
    @extend_schema(operation_id="entry", responses=EntryShape)
    def get(self, request: Request, slug: str, entry_id: int) -> Response:
        """One entry."""
        return Response(EntryShape(entry_of(tournament_seen_by(request, slug), entry_id)).data)

    @extend_schema(operation_id="set_lot", request=LotRequest, responses=EntryShape)
    def patch(self, request: Request, slug: str, entry_id: int) -> Response:
        """Note the number that an entry drew, until the event starts."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        entry = entry_of(tournament, entry_id)
        lot = sent(LotRequest, request)["lot"]
        with effect(request):
            entry = set_lot(entry, lot, by=account)
        return Response(EntryShape(entry).data)


class EntryStep(APIView):
    word = ""

    @extend_schema(request=None, responses=EntryShape)
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """Accept, refuse, withdraw or bring back an entry."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        entry = entry_of(tournament, entry_id)
        with effect(request):
            changed = entries.change_state(entry, WORDS[self.word], by=account)
        return Response(EntryShape(changed).data)


class EntryToken(APIView):
    @extend_schema(operation_id="personal_token", request=None, responses={201: PersonalToken})
    def post(self, request: Request, slug: str, entry_id: int) -> Response:
        """A token with which this player reports games of this event; an older one is revoked."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "tournament.links", stream=tournament.stream)
        entry = entry_of(tournament, entry_id)
        with effect(request):
            token, secret = issue_personal_token(entry.player, tournament.stream, by=account)
        body = {
            "entry": entry.pk,
            "player": entry.player_id,
            "scopes": token.scopes,
            "token": secret,
        }
        return Response(body, status=201)


class ByeList(APIView):
    @extend_schema(operation_id="byes", responses=results_of(ByeShape))
    def get(self, request: Request, slug: str) -> Response:
        """The byes that were asked for; why, its directors read."""
        tournament = tournament_seen_by(request, slug)
        rows = list(tournament.byes.order_by("round", "entry_id"))
        if not sees_drafts(request, tournament.stream):
            for bye in rows:
                bye.reason = ""
        return Response({"results": ByeShape(rows, many=True).data})

    @extend_schema(operation_id="request_bye", request=ByeRequest, responses={201: ByeShape})
    def post(self, request: Request, slug: str) -> Response:
        """Grant an entry a bye in a round that is not paired yet."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        content = sent(ByeRequest, request)
        entry = tournament.entries.select_related("tournament").filter(pk=content["entry"]).first()
        if entry is None:
            detail = f"there is no entry {content['entry']} in {tournament.name}"
            errors = [{"pointer": "/entry", "code": "unknown_entry", "detail": detail}]
            raise Unprocessable("unknown_entry", detail, errors)
        with effect(request):
            bye = entries.request_bye(
                entry,
                content["round"],
                Bye.Kind(content["kind"]),
                by=account,
                reason=content["reason"],
            )
        return Response(ByeShape(bye).data, status=201)


class ByeView(APIView):
    @extend_schema(operation_id="cancel_bye", responses={204: None})
    def delete(self, request: Request, slug: str, bye_id: int) -> Response:
        """Take a bye back, while its round is not paired."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "entries.edit", stream=tournament.stream)
        bye = tournament.byes.select_related("tournament").filter(pk=bye_id).first()
        if bye is None:
            raise NotThere("not_found", f"there is no bye {bye_id} in {tournament.name}")
        with effect(request):
            entries.cancel_bye(bye, by=account)
        return Response(status=204)
