"""Values that differ from those of a JSON, as somebody would forge them."""

import json
from collections.abc import Iterator
from typing import Any


def other_json(value: Any) -> Iterator[Any]:
    """Yield a JSON value with one of its numbers, texts or truths changed, for up to some of each.

    Which ones is fixed, and the names of members stay.
    """
    places = [[]] if not isinstance(value, dict | list) else list(leaves(value))
    for place in places[:: max(1, len(places) // 12)]:
        changed = found = json.loads(json.dumps(value))
        for key in place[:-1]:
            found = found[key]
        old = found[place[-1]]
        found[place[-1]] = not old if isinstance(old, bool) else 1 if old is None else f"{old}1"
        if isinstance(old, int) and not isinstance(old, bool):
            found[place[-1]] = old + 1
        yield changed


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of all values in JSON that contain no others."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, dict | list) and item:
            yield from leaves(item, (*place, key))
        elif not isinstance(item, dict | list):
            yield (*place, key)
