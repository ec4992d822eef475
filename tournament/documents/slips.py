"""Sheets to cut: a result slip for each board and a card for each player, with a QR code.

The code contains the address of the page of a game or a player and no permission: to report a
result, a player still has to log in. The cards that directors print contain personal links instead.
"""

from collections.abc import Mapping

import segno
from django.conf import settings

from games.documents.renderers.pdf.frame import SheetFrame
from games.documents.renderers.pdf.typesetting import CODES, print_sheet
from games.documents.text import clean_text
from games.http.errors import Unprocessable
from games.queries import rows_as_dicts
from games.rules.records.handicaps import exchange_seats
from tournament import queries
from tournament.documents.pairings import round_title
from tournament.models import Entry, Round, Tournament
from tournament.queries.pairings import PairedPlayer, load_pairings

MASK = 2
"""One of eight masks; choosing the best takes most of the time, and readers accept any."""
MOST_CODES = 2_000
"""The codes of a sheet; a thousand take 1.3 s and 220 MB, two thousand 2.4 s and 350 MB."""


def print_slips(tournament: Tournament, this_round: Round, frame: SheetFrame) -> bytes:
    """Return the PDF of a slip for each game, with its code; return games have exchanged seats."""
    slips = []
    day, time = this_round.starts_on, this_round.start_time
    start = f", {day:%d %B}, {time:%H:%M}" if day and time else ""
    for pairing in load_pairings(tournament, this_round):
        if pairing.game is None or pairing.second is None:
            continue
        place = f"Round {this_round.number}, board {pairing.board}{start}"
        first, second = _seat(pairing.first), _seat(pairing.second)
        slip = {"place": place, "game": pairing.game, "first": first, "second": second}
        handicap = (pairing.applied and pairing.applied["handicap"]) or ""
        slips.append(slip | {"handicap": handicap})
        if pairing.return_game:
            number = pairing.return_game["game"]
            place += ", return game"
            slip = {"place": place, "game": number, "first": second, "second": first}
            slips.append(slip | {"handicap": exchange_seats(handicap)})
    _check_count(len(slips), "games")
    codes = [_code_of_address(f"games/{slip['game']}") for slip in slips]
    slips = [slip | {"game": f"game {slip['game']}"} for slip in slips]
    head = frame.as_json(f"Result slips of {round_title(tournament, this_round)}")
    return print_sheet("slips", head | {"slips": slips, CODES: codes})


def print_cards(
    tournament: Tournament, frame: SheetFrame, links: Mapping[int, str] | None = None
) -> bytes:
    """Return the PDF of a card for each accepted player, with a code of the player.

    With `links`, the addresses by entry, only these entries have a card, with the code of the link.
    """
    entries = queries.shown_entries(tournament).filter(shown_state=Entry.State.ACCEPTED)
    if links is not None:
        entries = entries.filter(pk__in=links)
    rows = rows_as_dicts(
        entries.order_by("number", "player__name"),
        "pk",
        "number",
        "player_id",
        "player__name",
        "player__country",
        "player__club",
        "club",
        "seed_rating",
    )
    _check_count(len(rows), "players")
    cards = []
    for row in rows:
        club = row["club"] or row["player__club"]
        details = [row["player__country"], str(row["seed_rating"] or ""), club]
        cards.append(
            {
                "name": clean_text(row["player__name"]),
                "number": str(row["number"] or ""),
                "details": " · ".join(clean_text(detail) for detail in details if detail),
            }
        )
    if links is None:
        codes = [_code_of_address(f"players/{row['player_id']}") for row in rows]
    else:
        codes = [_code(links[row["pk"]]) for row in rows]
    return print_sheet("cards", frame.as_json("Player cards") | {"cards": cards, CODES: codes})


def _check_count(count: int, noun: str) -> None:
    if count > MOST_CODES:
        detail = f"there are {count} {noun}; at most {MOST_CODES} can be printed"
        raise Unprocessable("too_many_for_paper", detail)


def _seat(player: PairedPlayer) -> dict[str, str]:
    return {
        "name": clean_text(player["name"]),
        "number": f"number {player['pairing_number']}",
    }


def _code_of_address(path: str) -> dict[str, str]:
    return _code(f"{settings.PUBLIC_URL}/{path}")


def _code(address: str) -> dict[str, str]:
    code = segno.make(address, error="m", mask=MASK, micro=False)
    return {"picture": code.svg_inline(border=2, omitsize=True), "address": address}
