"""Tell players apart who share a name in one list: by country, club, pairing number or id.

A year of birth is personal, so it is never shown for this.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext

from games.names import fold_name

Described = Mapping[str, Any]
"""A player as JSON: `id` and `name`, `country` and `club` if the list has them."""

NO_NUMBERS: Final[Mapping[int, int]] = {}


def namesakes_of(
    players: Iterable[Described], numbers: Mapping[int, int | None] = NO_NUMBERS
) -> dict[int, str]:
    """Return the names of those who share theirs with another one, with what distinguishes them.

    The result is by id, as `Jan Novak (Rooks)`; names that differ only by case or accents count
    as shared. `numbers` are pairing numbers by id.
    """
    groups: dict[str, dict[int, Described]] = defaultdict(dict)
    for player in players:
        groups[fold_name(player["name"])][player["id"]] = player
    return {
        player["id"]: f"{player['name']} ({mark})"
        for group in groups.values()
        if len(group) > 1
        for player, mark in zip(group.values(), _marks(list(group.values()), numbers), strict=True)
    }


def shown_names(
    players: Iterable[Described], numbers: Mapping[int, int | None] = NO_NUMBERS
) -> dict[int, str]:
    """Return the name of each player by id, as `namesakes_of` for those who share theirs."""
    listed = list(players)
    return {player["id"]: player["name"] for player in listed} | namesakes_of(listed, numbers)


def tell_apart(content: Any, names: Mapping[int, str]) -> Any:
    """Return JSON in which each `player` has the name that a list of names has for their id."""
    if not names:
        return content
    if isinstance(content, Mapping):
        found = {name: tell_apart(value, names) for name, value in content.items()}
        player = found.get("player")
        if isinstance(player, dict) and "name" in player:
            player["name"] = names.get(player["id"], player["name"])
        return found
    if isinstance(content, list | tuple):
        return [tell_apart(item, names) for item in content]
    return content


def number_after(name: str, number: object) -> str:
    """Return what follows a name, as ` (14)`; nothing after the name of a namesake that says it."""
    return "" if name.endswith(f" {number})") else f" ({number})"


def _marks(group: Sequence[Described], numbers: Mapping[int, int | None]) -> list[str]:
    """Return the first of country, club and pairing number that distinguishes all; else the ids."""
    for member in ("country", "club"):
        marks = [str(player.get(member) or "") for player in group]
        if all(marks) and len(set(marks)) == len(group):
            return marks
    known = [numbers.get(player["id"]) for player in group]
    if all(known):
        return [gettext("number %(number)s") % {"number": number} for number in known]
    return [f"#{player['id']}" for player in group]
