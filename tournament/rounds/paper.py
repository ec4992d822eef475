"""What is printed of a round: its pairings, result slips, record sheets; a card for each player.

Slips, sheets and cards have a QR code of the address of the page of a game or a player. It has no
permission: to report a result, a player still has to log in. The cards that directors print contain
personal links instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.core.formats import PdfFile
from games.core.namesakes import number_after
from games.core.requests import requested_choice
from games.core.tables.pdf import PAPER_SIZES, SheetFrame
from games.core.tables.text import clean_text, isolate
from games.core.tables.typesetting import CODES_FOLDER, print_sheet
from games.core.tables.views import PAPER, pdf_response
from games.core.text import language_of_sheet
from games.core.views import ApiView
from games.play.boards import describe_least, handicap_in_words, name_stones
from games.play.sheets import RecordSheet, print_record_sheets
from games.rules.conditions import Conditions
from games.rules.records.handicaps import exchange_seats, with_handicap
from games.rules.text import Text
from tournament.core.lookup import tournament_seen_by
from tournament.core.pages import RunPage
from tournament.core.queries import event_conditions
from tournament.core.references import NumberedEntry
from tournament.core.sheets import requested_frame
from tournament.entries.cards import check_count, code_of_address, print_cards
from tournament.entries.queries import find_outdated_papers, namesakes_in
from tournament.models import Round, Tournament
from tournament.rounds.lookup import round_seen_by
from tournament.rounds.queries import load_pairings, told_apart
from tournament.rounds.tables import round_title


class Slips(ApiView):
    public_read = "slug"
    renderer_classes = [PdfFile]
    parameters = (PAPER,)

    @extend_schema(operation_id="download_slips", responses=OpenApiTypes.BINARY)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return a result slip for each board of a published round, with a code of its game.

        It is a sheet to print and cut, in the language of `Accept-Language`. The code opens the
        page where the game is reported.
        """
        this_round = round_seen_by(request, slug, number)
        tournament = this_round.tournament
        with language_of_sheet(request):
            content = print_slips(this_round, requested_frame(request, tournament))
        return pdf_response(content, f"{slug}.r{number}.slips")


class RecordSheets(ApiView):
    public_read = "slug"
    renderer_classes = [PdfFile]
    parameters = (PAPER,)

    @extend_schema(operation_id="download_sheets", responses=OpenApiTypes.BINARY)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return a blank record sheet for each game of a published round.

        It has the board with the names of its cells, the players and conditions, lines for the
        turns on one page or two, and a code of the game.
        """
        this_round = round_seen_by(request, slug, number)
        tournament = this_round.tournament
        with language_of_sheet(request):
            frame = requested_frame(request, tournament)
            content = print_round_sheets(this_round, frame)
        return pdf_response(content, f"{slug}.r{number}.sheets")


class Cards(ApiView):
    public_read = "slug"
    renderer_classes = [PdfFile]
    parameters = (PAPER,)

    @extend_schema(operation_id="download_cards", responses=OpenApiTypes.BINARY)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return a card for each accepted player, with a code of the player.

        It is a sheet to print and cut, in the language of `Accept-Language`. The code opens the
        public page of the player in the tournament.
        """
        tournament = tournament_seen_by(request, slug)
        with language_of_sheet(request):
            content = print_cards(tournament, requested_frame(request, tournament))
        return pdf_response(content, f"{slug}.cards")


SHEET_NAMES = {"pairings": _("Pairings by board"), "slips": _("Result slips")}
"""The names of the sheets of a round that may be out of date."""


def _named_sheet(address: str) -> tuple[str, str, Any]:
    """Return the address of a sheet, as `rounds/1/slips.pdf`, its round and its name."""
    _folder, number, file = address.split("/")
    return address, number, SHEET_NAMES[file.removesuffix(".pdf")]


class PapersPage(RunPage):
    template = "tournament/rounds/run_papers.html"
    section = "print"

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the paired rounds, the last one first, and the papers that are out of date."""
        paired = [
            this_round for this_round in self.rounds if this_round.state != Round.State.PLANNED
        ]
        outdated = find_outdated_papers(tournament)
        return {
            "papers": PAPER_SIZES,
            "paper": requested_choice(request, "paper", PAPER_SIZES),
            "paired": paired[::-1],
            "outdated": outdated,
            "outdated_sheets": [_named_sheet(address) for address in outdated["sheets"]],
            "api": f"/api/v1/tournaments/{tournament.slug}",
        }


@dataclass(frozen=True, slots=True)
class PrintedGame:
    """A game of a round with its place, as `Round 1, board 3`, its players, its handicap."""

    number: int
    place: str
    first: NumberedEntry
    second: NumberedEntry
    handicap: str

    @property
    def code(self) -> dict[str, str]:
        """The code of the page of the game."""
        return code_of_address(f"games/{self.number}")


def print_slips(this_round: Round, frame: SheetFrame) -> bytes:
    """Return the PDF of a slip for each game, with its code; return games have exchanged seats."""
    games = list(_games_of(this_round))
    check_count(len(games), Text("games"))
    even = event_conditions(this_round.tournament)
    slips = [
        {
            "place": game.place,
            "game": gettext("game %(number)s") % {"number": game.number},
            "first": _seat(game.first),
            "second": _seat(game.second),
            "handicap": _handicap_on_slip(even, game.handicap),
        }
        for game in games
    ]
    title = gettext("Result slips of %(round)s") % {"round": round_title(this_round)}
    head = frame.as_json(title)
    return print_sheet(
        "slips", head | {"slips": slips, CODES_FOLDER: [game.code for game in games]}
    )


def print_round_sheets(this_round: Round, frame: SheetFrame) -> bytes:
    """Return the PDF of a blank record sheet for each game, with its board and its code."""
    even = event_conditions(this_round.tournament)
    sheets = [
        RecordSheet(
            conditions=with_handicap(even, game.handicap),
            place=game.place,
            first=_name_with_number(game.first),
            second=_name_with_number(game.second),
            code=game.code,
        )
        for game in _games_of(this_round)
    ]
    title = gettext("Record sheets of %(round)s") % {"round": round_title(this_round)}
    return print_record_sheets(sheets, frame, title)


def _games_of(this_round: Round) -> Iterator[PrintedGame]:
    """Yield the games of a published round by board, each before its return game."""
    day, time = this_round.starts_on, this_round.start_time
    start = f", {date_format(day, 'MONTH_DAY_FORMAT')}, {time:%H:%M}" if day and time else ""
    for pairing in told_apart(load_pairings(this_round), namesakes_in(this_round.tournament)):
        if pairing.game_id is None or pairing.second is None:
            continue
        place = gettext("Round %(round)s, board %(board)s") % {
            "round": this_round.number,
            "board": f"{pairing.board}{start}",
        }
        first, second = pairing.first, pairing.second
        handicap = (pairing.applied and pairing.applied["handicap_text"]) or ""
        yield PrintedGame(pairing.game_id, place, first, second, handicap)
        if pairing.return_game:
            number, place = pairing.return_game["id"], place + ", " + gettext("return game")
            yield PrintedGame(number, place, second, first, exchange_seats(handicap))


def _handicap_on_slip(even: Conditions, handicap: str) -> str:
    """Return a handicap; if it has points, ask for the count of the board, and say what wins."""
    least = describe_least(with_handicap(even, handicap))
    words = handicap_in_words(name_stones(handicap, even))
    if not least:
        return words
    request = gettext("write the count of the board, without these points")
    return f"{words}; {request}: {least}"


def _seat(player: NumberedEntry) -> dict[str, str]:
    return {
        "name": clean_text(player["player"]["name"]),
        "number": gettext("number %(number)s") % {"number": player["number"]},
    }


def _name_with_number(player: NumberedEntry) -> str:
    name = clean_text(player["player"]["name"])
    return f"{isolate(name)}{number_after(name, player['number'])}"
