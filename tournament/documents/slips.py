"""Result slips and record sheets for each game of a round, a card for each player, with a QR code.

The code contains the address of the page of a game or a player and no permission: to report a
result, a player still has to log in. The cards that directors print contain personal links instead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext

from games.documents.record_sheets import RecordSheet, print_record_sheets
from games.documents.renderers.pdf.codes import code_of
from games.documents.renderers.pdf.frame import SheetFrame
from games.documents.renderers.pdf.typesetting import CODES_FOLDER, print_sheet
from games.documents.text import clean_text, isolate
from games.http.errors import Unprocessable
from games.queries import rows_as_dicts
from games.rules.records.handicaps import exchange_seats, with_handicap
from games.rules.text import Text
from tournament.documents.pairings import round_title
from tournament.models import Entry, Round, Tournament
from tournament.queries.events import event_conditions
from tournament.queries.pairings import PairedPlayer, load_pairings

MOST_SLIP_CODES = 2_000
"""The codes of a sheet; a thousand take 1.3 s and 220 MB, two thousand 2.4 s and 350 MB."""


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
        return _code_of_address(f"games/{self.number}")


def print_slips(tournament: Tournament, this_round: Round, frame: SheetFrame) -> bytes:
    """Return the PDF of a slip for each game, with its code; return games have exchanged seats."""
    games = list(_games_of(tournament, this_round))
    _check_count(len(games), Text("games"))
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


def print_cards(
    tournament: Tournament, frame: SheetFrame, links: Mapping[int, str] | None = None
) -> bytes:
    """Return the PDF of a card for each accepted player, with a code of the player.

    With `links`, the addresses by entry, only these entries have a card, with the code of the link.
    """
    entries = tournament.entries.filter(state=Entry.State.ACCEPTED)
    if links is not None:
        entries = entries.filter(pk__in=links)
    rows = rows_as_dicts(
        entries.order_by("pairing_number", "player__name"),
        "pk",
        "pairing_number",
        "player_id",
        "player__name",
        "player__country",
        "player__club",
        "club",
        "seed_rating",
    )
    _check_count(len(rows), Text("players"))
    cards = []
    for row in rows:
        club = row["club"] or row["player__club"]
        details = [row["player__country"], str(row["seed_rating"] or ""), club]
        cards.append(
            {
                "name": clean_text(row["player__name"]),
                "number": str(row["pairing_number"] or ""),
                "details": " · ".join(clean_text(detail) for detail in details if detail),
            }
        )
    if links is None:
        codes = [_code_of_address(f"players/{row['player_id']}") for row in rows]
    else:
        codes = [code_of(links[row["pk"]]) for row in rows]
    return print_sheet(
        "cards", frame.as_json(gettext("Player cards")) | {"cards": cards, CODES_FOLDER: codes}
    )


def _check_count(count: int, noun: str) -> None:
    if count > MOST_SLIP_CODES:
        detail = Text(
            "there are %(count)s %(detail)s; at most %(most)s can be printed",
            count=count,
            detail=noun,
            most=MOST_SLIP_CODES,
        )
        raise Unprocessable("too_many_for_paper", detail)


def _seat(player: PairedPlayer) -> dict[str, str]:
    return {
        "name": clean_text(player["name"]),
        "number": gettext("number %(number)s") % {"number": player["pairing_number"]},
    }


def _name_with_number(player: PairedPlayer) -> str:
    return f"{isolate(clean_text(player['name']))} ({player['pairing_number']})"


def _code_of_address(path: str) -> dict[str, str]:
    return code_of(f"{settings.PUBLIC_URL}/{path}")
