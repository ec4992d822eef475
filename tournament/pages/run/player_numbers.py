"""Players as directors name them in forms: by pairing number."""

from games.http.errors import Unprocessable
from games.rules.text import Text
from tournament.models import Tournament
from tournament.queries.places import entry_with_number


def entry_of_number(tournament: Tournament, text: str, *, at: str) -> int:
    """Return the entry of the player with a pairing number; raises Unprocessable."""
    is_number = text.isascii() and text.isdigit() and len(text) < 7
    entry = entry_with_number(tournament, int(text)) if is_number else None
    if entry is None:
        detail = Text("no player of the event has the pairing number %(number)s", number=text[:20])
        raise Unprocessable("unknown_player", detail, at=at)
    return entry
