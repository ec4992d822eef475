"""What an event tells other sites about itself: for search engines, and where its link is shared.

The data is that of schema.org (JSON-LD) and of OpenGraph; both say what the first page shows.
"""

import json
from collections.abc import Iterable
from html import unescape
from typing import Any, Final
from urllib.parse import urlencode

from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from games.core.places import country_name, iso_code
from games.core.references import page_url
from games.rules.registry import GAMES
from tournament.core.texts import days_of
from tournament.models import Round, Tournament
from tournament.standings.errors import PrizeError
from tournament.standings.prizes.money import CURRENCIES, format_coins, parse_amounts

MOST_SUMMARY: Final = 300
PICTURE_SIZE: Final = (1200, 630)
"""Pixels of the picture (games/templates/games/paper/picture.typ)."""
STATES: Final = {Tournament.State.CANCELLED: "EventCancelled"}
WITHIN_SCRIPT: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}
"""What could end the element of a script, as JSON writes it."""


def sharing_context(tournament: Tournament, rounds: Iterable[Round]) -> dict[str, Any]:
    """Return what the head of the first page has, for the template events/sharing.html."""
    return {
        "share": {
            "address": page_url(f"e/{tournament.slug}"),
            "summary": summary_of(tournament),
            "picture": picture_of(tournament),
            "picture_size": PICTURE_SIZE,
            "data": as_script(event_as_json(tournament, rounds)),
        }
    }


def picture_of(tournament: Tournament) -> str:
    """Return the address of the picture of the event's board."""
    query = {"board_size": tournament.board, "options": " ".join(tournament.options)}
    parts = {name: value for name, value in query.items() if value}
    return page_url(f"rules/{tournament.game}/board.png?{urlencode(parts)}")


def summary_of(tournament: Tournament) -> str:
    """Return the days, the place and the game of an event, and how its text begins."""
    days = days_of(tournament)
    country = country_name(tournament.country) if tournament.country else ""
    facts = (days, tournament.venue or tournament.place, country, GAMES[tournament.game].name)
    summary = " · ".join(fact for fact in facts if fact)
    return Truncator(f"{summary}. {text_of(tournament)}".strip()).chars(MOST_SUMMARY)


def text_of(tournament: Tournament) -> str:
    """Return the text of an event without its marks, on one line."""
    return " ".join(unescape(strip_tags(tournament.description_html)).split())


def event_as_json(tournament: Tournament, rounds: Iterable[Round]) -> dict[str, Any]:
    """Return an event as schema.org describes one; it begins with its first round that has a time.

    What is not known is left out.
    """
    starts = min((one.starts_at for one in rounds if one.starts_at), default=tournament.starts_on)
    address = {
        "@type": "PostalAddress",
        "streetAddress": tournament.venue,
        "addressLocality": tournament.place,
        "addressCountry": iso_code(tournament.country),
    }
    name = tournament.venue or tournament.place
    place = {
        "@type": "Place",
        "name": name,
        "address": _known(address),
        "hasMap": tournament.map_url,
    }
    status = STATES.get(Tournament.State(tournament.state), "EventScheduled")
    is_cancelled = tournament.state == Tournament.State.CANCELLED
    page = page_url(f"e/{tournament.slug}")
    return _known(
        {
            "@context": "https://schema.org",
            "@type": "Event",
            "name": tournament.name,
            "url": page,
            "image": picture_of(tournament),
            "startDate": starts.isoformat(),
            "endDate": tournament.ends_on.isoformat(),
            "eventStatus": f"https://schema.org/{status}",
            "location": _known(place) if name else None,
            "description": text_of(tournament) or summary_of(tournament),
            "maximumAttendeeCapacity": tournament.places,
            "offers": None if is_cancelled else _offer_of(tournament, f"{page}/apply"),
        }
    )


def _known(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value}


def _offer_of(tournament: Tournament, page: str) -> dict[str, Any] | None:
    """Return the fee as an offer; None without a currency, and for a fee in words.

    A fee may name its currency itself, as `20 EUR`.
    """
    fee = tournament.fee
    currency = next((word for word in fee.split() if word in CURRENCIES), tournament.currency)
    if not currency:
        return None
    try:
        (coins,) = parse_amounts(fee, currency)
    except (PrizeError, ValueError):
        return None
    price = format_coins(coins, currency)
    return {"@type": "Offer", "price": price, "priceCurrency": currency, "url": page}


def as_script(content: dict[str, Any]) -> SafeString:
    """Return JSON for an element `script` that is data, which no policy of scripts concerns."""
    text = json.dumps(content, ensure_ascii=False)
    return mark_safe(text.translate(WITHIN_SCRIPT))
