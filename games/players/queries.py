"""Load players."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTransform

from games.models import Player
from games.models.bulk import chunks
from games.names import fold_name, skeleton_of
from games.rules.text import Text


def no_player(number: int) -> Text:
    """Return what errors say of a player who does not exist."""
    return Text("there is no player %(number)s", number=number)


def unmerged_players() -> "QuerySet[Player]":
    """Return the players, without those who were merged into another."""
    return Player.objects.filter(merged_into__isnull=True)


def players_by_name(text: str) -> "QuerySet[Player]":
    """Return the players whose name contains a text, without regard to case and accents."""
    return unmerged_players().filter(has_name(text))


def has_name(text: str) -> Q:
    """Return the condition that a name contains a text, without regard to case and accents."""
    return Q(folded_name__contains=fold_name(text))


def look_alikes(names: Collection[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the ids and names of the players whose names look like each of these, but are others.

    A query for each 500 names.
    """
    skeletons = {name: skeleton_of(name) for name in names}
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for chunk in chunks(sorted(set(skeletons.values()))):
        alike = unmerged_players().filter(skeleton__in=chunk).order_by("pk")
        for skeleton, number, name in alike.values_list("skeleton", "pk", "name"):
            found[skeleton].append({"id": number, "name": name})
    return {
        name: [player for player in found.get(skeleton, ()) if player["name"] != name]
        for name, skeleton in skeletons.items()
    }


def players_with_external_id(scheme: str, number: str) -> "QuerySet[Player]":
    """Return the players with an id of an organisation, such as `fide` and `1503014`."""
    return with_external_id(unmerged_players(), scheme, number)


def with_external_id(players: "QuerySet[Any]", scheme: str, number: str) -> "QuerySet[Any]":
    """Return those of the players with an id of an organisation."""
    with_id = players.alias(external_id=KeyTransform(scheme, "external_ids"))
    return with_id.filter(external_id=number)
