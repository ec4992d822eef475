"""A card for each player of an event, with a QR code."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from games.core.errors import Unprocessable
from games.core.tables.pdf import SheetFrame
from games.core.tables.text import clean_text
from games.core.tables.typesetting import CODES_FOLDER, code_of, print_sheet
from games.play.queries import rows_as_dicts
from games.rules.text import Text
from tournament.models import Entry, Tournament

MOST_SLIP_CODES = 2_000
"""The codes of a sheet; a thousand take 1.3 s and 220 MB, two thousand 2.4 s and 350 MB, and player
cards with nine lines 3.5 s and 540 MB."""


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
        entries.order_by("pairing_number", "player__folded_name"),
        "pk",
        "pairing_number",
        "player_id",
        "player__name",
        "player__country",
        "player__club",
        "club",
        "seed_rating",
    )
    check_count(len(rows), Text("players"))
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
        codes = [code_of_address(f"players/{row['player_id']}") for row in rows]
    else:
        codes = [code_of(links[row["pk"]]) for row in rows]
    title = gettext("Player cards") if links is None else gettext("Link cards")
    content = {"cards": cards, CODES_FOLDER: codes, **_lines_or_note(tournament, links is None)}
    return print_sheet("cards", frame.as_json(title) | content)


def _lines_or_note(tournament: Tournament, has_lines: bool) -> dict[str, Any]:
    """Return the headings of a line for each round; on a link card, what its code opens."""
    if has_lines:
        board = gettext("Board")
        heads = [gettext("Round"), board, gettext("Against"), gettext("Result"), gettext("Points")]
        return {"rounds": tournament.rounds, "heads": heads, "note": ""}
    note = gettext(
        "The code opens your page of the event: your boards, your reports, your byes. It is secret:"
        " who has it acts for you."
    )
    return {"rounds": 0, "heads": [], "note": note}


def check_count(count: int, noun: str) -> None:
    """Raise Unprocessable for more codes than one file may have."""
    if count > MOST_SLIP_CODES:
        detail = Text(
            "there are %(count)s %(detail)s; at most %(most)s can be printed",
            count=count,
            detail=noun,
            most=MOST_SLIP_CODES,
        )
        raise Unprocessable("too_many_for_paper", detail)


def code_of_address(path: str) -> dict[str, str]:
    """Return the QR code of an address of this site."""
    return code_of(f"{settings.PUBLIC_URL}/{path}")
