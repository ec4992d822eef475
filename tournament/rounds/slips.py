"""Result slips and record sheets for each game of a round, a card for each player, with a QR code.

The code contains the address of the page of a game or a player and no permission: to report a
result, a player still has to log in. The cards that directors print contain personal links instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.translation import gettext

from games.core.tables.pdf import SheetFrame
from games.core.tables.text import clean_text, isolate
from games.core.tables.typesetting import CODES_FOLDER, print_sheet
from games.play.sheets import RecordSheet, print_record_sheets
from games.rules.records.handicaps import exchange_seats, with_handicap
from games.rules.text import Text
from tournament.core.queries import event_conditions
from tournament.entries.cards import check_count, code_of_address
from tournament.models import Round, Tournament
from tournament.rounds.queries import PairedPlayer, load_pairings
from tournament.rounds.tables import round_title


@dataclass(frozen=True, slots=True)
class PrintedGame:
    """A game of a round with its place, as `Round 1, board 3`, its players, its handicap."""

    number: int
    place: str
    first: PairedPlayer
    second: PairedPlayer
    handicap: str

    @property
    def code(self) -> dict[str, str]:
        """The code of the page of the game."""
        return code_of_address(f"games/{self.number}")


def print_slips(tournament: Tournament, this_round: Round, frame: SheetFrame) -> bytes:
    """Return the PDF of a slip for each game, with its code; return games have exchanged seats."""
    games = list(_games_of(tournament, this_round))
    check_count(len(games), Text("games"))
    slips = [
        {
            "place": game.place,
            "game": gettext("game %(number)s") % {"number": game.number},
            "first": _seat(game.first),
            "second": _seat(game.second),
            "handicap": game.handicap,
        }
        for game in games
    ]
    title = gettext("Result slips of %(round)s") % {"round": round_title(tournament, this_round)}
    head = frame.as_json(title)
    return print_sheet(
        "slips", head | {"slips": slips, CODES_FOLDER: [game.code for game in games]}
    )


def print_round_sheets(tournament: Tournament, this_round: Round, frame: SheetFrame) -> bytes:
    """Return the PDF of a blank record sheet for each game, with its board and its code."""
    even = event_conditions(tournament)
    sheets = [
        RecordSheet(
            conditions=with_handicap(even, game.handicap),
            place=game.place,
            first=_name_with_number(game.first),
            second=_name_with_number(game.second),
            code=game.code,
        )
        for game in _games_of(tournament, this_round)
    ]
    title = gettext("Record sheets of %(round)s") % {"round": round_title(tournament, this_round)}
    return print_record_sheets(sheets, frame, title)


def _games_of(tournament: Tournament, this_round: Round) -> Iterator[PrintedGame]:
    """Yield the games of a published round by board, each before its return game."""
    day, time = this_round.starts_on, this_round.start_time
    start = f", {date_format(day, 'MONTH_DAY_FORMAT')}, {time:%H:%M}" if day and time else ""
    for pairing in load_pairings(tournament, this_round):
        if pairing.game is None or pairing.second is None:
            continue
        place = gettext("Round %(round)s, board %(board)s") % {
            "round": this_round.number,
            "board": f"{pairing.board}{start}",
        }
        first, second = pairing.first, pairing.second
        handicap = (pairing.applied and pairing.applied["handicap"]) or ""
        yield PrintedGame(pairing.game, place, first, second, handicap)
        if pairing.return_game:
            number, place = pairing.return_game["game"], place + ", " + gettext("return game")
            yield PrintedGame(number, place, second, first, exchange_seats(handicap))


def _seat(player: PairedPlayer) -> dict[str, str]:
    return {
        "name": clean_text(player["name"]),
        "number": gettext("number %(number)s") % {"number": player["pairing_number"]},
    }


def _name_with_number(player: PairedPlayer) -> str:
    return f"{isolate(clean_text(player['name']))} ({player['pairing_number']})"
