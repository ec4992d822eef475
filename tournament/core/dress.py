"""What the tables of pages show beside the text of a cell: medals, countries, arrows, colours.

Files have the text alone. What a colour says, the text or a hidden word says too.
"""

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Final

from django.utils.translation import gettext

from games.core.places import country_name

Record = Mapping[str, Any]

WON: Final = re.compile(r"(?:[0-9]+[fs-])?[1+](?:\(.*)?(?::.*)?", re.DOTALL)
LOST: Final = re.compile(r"(?:[0-9]+[fs-])?[0-](?:\(.*)?(?::.*)?", re.DOTALL)
"""The cells of a crosstable with a single result (tournament/standings/crosstable_rows.py)."""


def medal(record: Record, html: str) -> str:
    """Mark the first three ranks."""
    rank = record["rank"]
    return f'<span class="medal rank-{rank}">{html}</span>' if rank and rank <= 3 else html


def with_country(record: Record, html: str) -> str:
    """Put the code of the player's country before their name."""
    code = record["player"]["country"]
    if not code:
        return html
    return (
        f'<abbr class="country" title="{escape(country_name(code))}">{escape(code)}</abbr> {html}'
    )


def with_arrow(earlier: Mapping[int, int]) -> Callable[[Record, str], str]:
    """Put behind the name by how many ranks a player went up or down, and the country before it."""
    up, down = gettext("up"), gettext("down")

    def dress(record: Record, html: str) -> str:
        html = with_country(record, html)
        steps = earlier.get(record["number"], record["rank"]) - record["rank"]
        if not steps:
            return html
        kind, sign, word = ("up", "▲", up) if steps > 0 else ("down", "▼", down)
        words = f'<span class="hidden"> {word} </span><span aria-hidden="true">{sign}</span>'
        return f'{html} <span class="{kind}">{words}{abs(steps)}</span>'

    return dress


def with_rating(ratings: Mapping[int, int | None], seat: str) -> Callable[[Record, str], str]:
    """Put the rating of a seat's entry behind its name."""

    def dress(record: Record, html: str) -> str:
        rating = ratings.get((record[seat] or {}).get("id", 0))
        return f'{html} <span class="quiet">{rating}</span>' if rating else html

    return dress


def coloured(place: int, opponent: Callable[[Record, str], str]) -> Callable[[Record, str], str]:
    """Colour a result of a crosstable by win or loss; the opponent's name is its tooltip."""

    def dress(record: Record, html: str) -> str:
        cell = record["cells"][place]
        kind = "win" if WON.fullmatch(cell) else "loss" if LOST.fullmatch(cell) else ""
        name = opponent(record, cell)
        title = f' title="{escape(name)}"' if name else ""
        return f'<span class="{kind}"{title}>{html}</span>' if kind or title else html

    return dress
