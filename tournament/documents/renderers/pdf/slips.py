"""Slips for the boards and cards for the players, each with a code that leads to what it is of.

The codes hold the public address of a game or of a player and nothing that opens a door: who scans
a slip still has to log in to report.
"""

import segno
from django.conf import settings

from games.http.errors import Unprocessable
from games.queries import plain
from tournament import queries
from tournament.documents.renderers.pdf.frame import framed, round_title
from tournament.documents.renderers.pdf.letters import cleaned
from tournament.documents.renderers.pdf.printing import CODES, Paper, printed
from tournament.models import Round, Tournament

MASK = 2
"""One of the eight patterns: to weigh them all takes most of the time, and any is read."""
MOST_CODES = 2_000
"""Slips or cards of one sheet; a thousand take 1.3 s and 220 MB, so many 2.4 s and 350."""


def _code(address: str) -> dict[str, str]:
    code = segno.make(address, error="m", mask=MASK, micro=False)
    picture = code.svg_inline(border=2, omitsize=True)
    return {"picture": picture, "address": address}


def _bounded(count: int, what: str) -> None:
    if count > MOST_CODES:
        detail = f"there are {count} {what} and at most {MOST_CODES} are printed"
        raise Unprocessable("too_many_for_paper", detail)


def slips_pdf(tournament: Tournament, this_round: Round, paper: Paper) -> bytes:
    """A slip a board, with a code that leads to the game."""
    games = [line for line in queries.pairings_of(tournament, this_round) if line["game"]]
    _bounded(len(games), "boards")
    slips = [
        {
            "place": f"Round {this_round.number}, board {line['board']}",
            "under": f"game {line['game']}",
            **{
                seat: {
                    "name": cleaned(line[seat]["name"]),
                    "told": f"number {line[seat]['pairing_number']}",
                }
                for seat in ("first", "second")
            },
        }
        for line in games
    ]
    frame = framed(tournament, f"Result slips of {round_title(tournament, this_round)}", paper)
    codes = [_code(f"{settings.PUBLIC_URL}/api/v1/games/{line['game']}") for line in games]
    return printed("slips", frame | {"slips": slips, CODES: codes}, paper)


def cards_pdf(tournament: Tournament, paper: Paper) -> bytes:
    """A card a player who takes part, with a code that leads to the player."""
    rows = plain(
        tournament.entries.filter(state="accepted").order_by("pairing_number", "player__name"),
        "pairing_number",
        "player_id",
        "player__name",
        "player__country",
        "player__club",
        "seed_rating",
    )
    _bounded(len(rows), "players")
    cards = []
    for row in rows:
        told = [row["player__country"], str(row["seed_rating"] or ""), row["player__club"]]
        cards.append(
            {
                "name": cleaned(row["player__name"]),
                "number": str(row["pairing_number"] or ""),
                "told": " · ".join(cleaned(word) for word in told if word),
            }
        )
    codes = [_code(f"{settings.PUBLIC_URL}/api/v1/players/{row['player_id']}") for row in rows]
    frame = framed(tournament, "Player cards", paper)
    return printed("cards", frame | {"cards": cards, CODES: codes}, paper)
