"""Players: the list, one player, registration, import."""

import json
from dataclasses import replace
from typing import Any

import django_filters
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiExample
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from games.core.actions import Action, Call
from games.core.errors import BadRequest, Unprocessable
from games.core.filters import CountryFilter, IdsFilter, MomentFilter, WholeNumberFilter
from games.core.formats import LIST_PARSERS, MAX_BODY_SIZE, BodyTooLarge, StrictJSONParser
from games.core.permissions import require_account
from games.core.preconditions import Target
from games.core.references import absolute_url, page_url
from games.core.serializers import NoBody, validated
from games.core.tables.views import BOM_PARAMETER, LIST_FORMATS, TableListView
from games.core.text import translated
from games.core.uploads.lists import IN_BODY
from games.core.uploads.services import SentFile
from games.core.uploads.tasks import import_responses
from games.core.uploads.views import LIST_FILE, ImportAction, csv_parameters
from games.core.views import endpoint
from games.models import Player
from games.names import EXTERNAL_SCHEME, FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR
from games.players.custody import kept_by
from games.players.imports import IMPORT, PLAYER_IMPORT_COLUMNS, row_of
from games.players.queries import has_name, look_alikes, unmerged_players, with_external_id
from games.players.serializers import (
    ImportedPlayers,
    PlayerDetailsSerializer,
    PlayerRowsSerializer,
    PlayerSerializer,
    RegisteredPlayerSerializer,
)
from games.players.services import register_player
from games.players.tables import players_document
from games.players.targets import player_target
from games.rules.text import Text

PUBLIC_FIELDS = tuple(name for name in PlayerSerializer.Meta.fields if not name.endswith("url"))
JSON = StrictJSONParser.media_type
JSON_EXAMPLE = {
    "rows": [
        {"name": "Ada", "country": "POR", "seed_rating": 1900, "external_ids": {"ecf": "120787D"}},
        {"name": "Ben", "country": "CAN", "birth_year": 1990},
    ]
}
EXAMPLE = "name,country,seed_rating,club\nAda,POR,1900,Rooks\nBen,CAN,,\n"


def validate_external_id(text: str) -> None:
    """Reject what does not name an organisation and an id in it."""
    scheme, colon, number = text.partition(":")
    if not (colon and EXTERNAL_SCHEME.fullmatch(scheme) and number):
        detail = Text("write the organisation and the id, as fide:1503014")
        raise ValidationError(translated(detail))


class PlayerFilter(django_filters.FilterSet):
    id = IdsFilter(label="the ids of players, separated by commas")
    country = CountryFilter(label="FIDE's three-letter code")
    club = django_filters.CharFilter(label="the whole name of the club")
    name = django_filters.CharFilter(
        method="filter_name",
        label="a part of the name, without regard to case and accents",
        max_length=200,
    )
    birth_year = WholeNumberFilter(
        method="filter_birth_year",
        label="the year of birth, of the players whose registration the account keeps",
        min_value=FIRST_BIRTH_YEAR,
        max_value=LAST_BIRTH_YEAR,
    )
    external_id = django_filters.CharFilter(
        method="filter_external_id",
        label="an id elsewhere, as fide:1503014",
        max_length=80,
        validators=[validate_external_id],
    )
    updated_since = MomentFilter(
        field_name="updated_at",
        lookup_expr="gte",
        label="those registered or changed since a time, as 2026-05-01T08:00:00Z",
    )

    class Meta:
        model = Player
        fields = ["club"]

    def filter_name(self, players: Any, _name: str, value: str) -> Any:
        return players.filter(has_name(value))

    def filter_birth_year(self, players: Any, _name: str, value: int) -> Any:
        """Return the players of a year whom the account keeps; raises LoginNeeded without one."""
        account = require_account(self.request, "players.search")
        return players.filter(kept_by(account), birth_year=value)

    def filter_external_id(self, players: Any, _name: str, value: str) -> Any:
        scheme, _, number = value.partition(":")
        return with_external_id(players, scheme, number)


class RegisterPlayer(Action):
    """Register a player; two players may have the same name, but not an external id."""

    name = "register_player"
    permission = "players.create"
    body = PlayerDetailsSerializer
    example = {"name": "Ada Lovelace", "country": "ENG", "club": "Rooks", "seed_rating": 1800}
    response = RegisteredPlayerSerializer
    status = 201
    made = ("id", "url", "page_url")
    location = "players/{id}"
    done = gettext_noop("The player is registered.")

    def stream(self, call: Call) -> str:
        """Return the event in which the player is registered; empty for none."""
        return ""

    def perform(self, call: Call, found: Any) -> dict[str, Any]:
        player = register_player(**call.body, by=call.account, stream=self.stream(call))
        alike = look_alikes([player.name])[player.name]
        return {**PlayerDetailsSerializer(player).data, "look_alikes": alike}

    def made_target(self, call: Call, content: Any) -> Target:
        return player_target(Player.objects.get(pk=content["id"]))


class PlayerList(TableListView):
    """The players by id, without those who were merged into another.

    The tables have all players; columns:
    `player,name,country,club,seed_rating,fide,ids,seed_games,seed_reached_2400`, where `player` is
    the id of the player.
    """

    public_read = "site"
    renderer_classes = LIST_FORMATS
    parameters = (BOM_PARAMETER,)

    queryset = unmerged_players().values(*PUBLIC_FIELDS).order_by("id")
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    post = endpoint(RegisterPlayer)

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        unset = {"country": row["country"] or None, "club": row["club"] or None}
        path = f"players/{row['id']}"
        return row | unset | {"url": absolute_url(path), "page_url": page_url(path)}

    def file(self, request: Request) -> HttpResponse:
        rows = self.filter_queryset(self.get_queryset())
        return self.render_table(
            players_document(map(self.row_as_json, rows.iterator(chunk_size=2000)))
        )


class ImportList(ImportAction):
    """An import of a list of players: a file, or the rows of a body in JSON."""

    rows: type[Serializer]
    """The serializer of a body in JSON."""

    def read(self, call: Call, found: Any, content: Any) -> SentFile:
        """Return the file, or the rows by the columns of a file."""
        if isinstance(content, bytes | NoBody | QueryDict):
            return super().read(call, found, content)
        rows = [row_of(row) for row in validated(self.rows, content)["rows"]]
        sent = super().read(call, found, json.dumps(rows).encode())
        return replace(sent, parameters={**sent.parameters, IN_BODY: "1"})


class ImportPlayers(ImportList):
    """Register the players of a list who are not registered yet, all or none.

    The list is CSV, as `text/csv`, or the first sheet of a workbook, as `.xlsx`, `.ods` or `.xls`
    under its own media type; `application/octet-stream` takes each. The content decides.

    Columns in any order, with English, German, French, Spanish or Italian headings: `name`,
    `given_name`, `country`, `club`, `fide`, `ids` (of other organisations, as `ecf:120787D`),
    `seed_rating`, `seed_games` or `games` (the rated games that led to this rating: they lower
    K), `seed_reached_2400` or `reached_2400` (`yes` if it was 2400 at any time, for FIDE's K),
    `birth_year`, `sex`, `player` (an id or `new`); lists of chess-results, Swiss-Manager, Vega and
    OpenGotha as they are; commas, semicolons, tabs or bars; UTF-8 or UTF-16, or what `encoding`
    names. `left_out` and `skipped` are the columns and the lines that are not read.

    A player is known by FIDE id or another id, else by name and year of birth, else by name,
    country and club, without regard to case and accents; by the year of birth only if the account
    keeps the registration. A line that several players fit, or whose details differ from theirs,
    is rejected as `ambiguous_player` with the `candidates`; the column `player` names the player
    then. A line with an id alone means a registered player.

    JSON has `rows` with the members of a registration, and `player_id` or `is_new` instead of that
    column; `line` of the answer is the number of the row, from 1.
    """

    name = "import_players"
    importer = IMPORT
    parameters = csv_parameters(PLAYER_IMPORT_COLUMNS)
    rows = PlayerRowsSerializer
    request = {**LIST_FILE, JSON: PlayerRowsSerializer}
    responses = import_responses(ImportedPlayers)
    is_shown = True
    examples = [
        OpenApiExample("two players", EXAMPLE, media_type="text/csv", request_only=True),
        OpenApiExample("rows", JSON_EXAMPLE, media_type=JSON, request_only=True),
    ]

    def read(self, call: Call, found: None, content: Any) -> SentFile:
        """Return the file, which a form may have as a field."""
        if isinstance(content, NoBody | QueryDict):
            files = content.getlist("file") if isinstance(content, QueryDict) else []
            if len(files) > 1:
                detail = Text("%(name)s is given twice; give one value", name="'file'")
                raise Unprocessable("given_twice", detail, at="/file")
            file = files[0] if files else None
            if file is None or isinstance(file, str):
                raise BadRequest(
                    "no_file", Text("send the list as text/csv, or as the form field `file`")
                )
            if file.size > MAX_BODY_SIZE:
                raise BodyTooLarge
            content = file.read()
        return super().read(call, found, content)


ENTRY_PARSERS = (*LIST_PARSERS, StrictJSONParser)
IMPORT_PARSERS = (*ENTRY_PARSERS, MultiPartParser)
