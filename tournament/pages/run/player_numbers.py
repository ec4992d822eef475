"""Players as directors name them in forms: by pairing number."""

from dataclasses import replace

from django.utils.translation import gettext

from games.core.errors import Unprocessable
from games.core.forms import FormState
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


def with_errors_by_line(form: FormState, *, items: str, lines: str) -> FormState:
    """Return a rejected form whose field `lines` has an item in each line that is not empty.

    The API names errors by the place in its list `items`; here they have the number of the line.
    """
    sent = str(form.typed.get(lines, "")).splitlines()
    numbers = [number for number, line in enumerate(sent, 1) if line.strip()]
    errors: dict[str, tuple[str, ...]] = {}
    for name, messages in form.errors.items():
        parts = name.split(".")
        place = int(parts[1]) if parts[0] == items and parts[1:] and parts[1].isdigit() else None
        if place is not None and place < len(numbers):
            begin = gettext("line %(line)d") % {"line": numbers[place]}
            name, messages = lines, tuple(f"{begin}: {message}" for message in messages)
        errors[name] = (*errors.get(name, ()), *messages)
    return replace(form, errors=errors)
