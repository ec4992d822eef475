"""Players: the list, one, a new one, a file of them."""

from typing import Any

import django_filters
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games import queries
from games.http.errors import BadRequest, NotFound
from games.http.generics import ValuesListView
from games.http.parsers import LARGEST_BODY, BodyTooLarge, BytesParser, StrictJSONParser
from games.http.request import is_dry_run, maybe_dry_run, require_account, validated_body
from games.imports.responses import IMPORT_PARAMETERS, import_response
from games.imports.uploads import SentFile
from games.models import Player
from games.serializers.players import ImportSerializer, PlayerSerializer
from games.serializers.uploads import import_responses
from games.services import players

EXAMPLE = "name,country,seed_rating,club\nAda,POR,1900,Rooks\nBen,CAN,,\n"


class PlayerFilter(django_filters.FilterSet):
    name = django_filters.CharFilter(lookup_expr="icontains", label="a part of the name")

    class Meta:
        model = Player
        fields = ["name", "country", "club"]


class PlayerList(ValuesListView):
    """Players by id."""

    queryset = Player.objects.none()
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    fields = ("id", "name", "country", "club", "seed_rating")

    def get_queryset(self) -> Any:
        return queries.players()

    @extend_schema(
        operation_id="register_player", request=PlayerSerializer, responses={201: PlayerSerializer}
    )
    def post(self, request: Request) -> Response:
        """Register a player; people may share a name, so nothing is compared."""
        account = require_account(request, "players.create")
        content = validated_body(PlayerSerializer, request)
        with maybe_dry_run(request):
            player = players.register_player(**content, by=account)
        address = f"/api/v1/players/{player.pk}"
        return Response(PlayerSerializer(player).data, status=201, headers={"Location": address})


class PlayerView(APIView):
    @extend_schema(operation_id="player", responses=PlayerSerializer)
    def get(self, request: Request, player_id: int) -> Response:
        """One player; one who was merged answers with the player it became."""
        player = Player.objects.filter(pk=player_id).select_related("merged_into").first()
        if player is None:
            raise NotFound("not_found", f"there is no player {player_id}")
        return Response(PlayerSerializer(player.merged_into or player).data)


class PlayerImport(APIView):
    parser_classes = [BytesParser, MultiPartParser, StrictJSONParser]

    @extend_schema(
        operation_id="import_players",
        parameters=IMPORT_PARAMETERS,
        request={"text/csv": bytes},
        responses=import_responses(ImportSerializer),
        examples=[OpenApiExample("two players", EXAMPLE, media_type="text/csv", request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Register the players of a CSV file with columns name, country, seed_rating, club.

        Columns in any order; commas, semicolons or tabs; UTF-8, Windows-1252 or latin-1; all lines
        or none. A player known by name and country is taken as is.
        """
        account = require_account(request, players.IMPORT.action)
        content = request.data
        if not isinstance(content, bytes):
            file = request.FILES.get("file")
            if file is None:
                raise BadRequest("no_file", "send the CSV as text/csv, or as the form field `file`")
            if file.size > LARGEST_BODY:
                raise BodyTooLarge
            content = file.read()
        sent = SentFile(content=content, by=account, dry_run=is_dry_run(request))
        return import_response(request, players.IMPORT, sent)
