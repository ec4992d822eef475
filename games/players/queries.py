"""Load players."""

from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTransform

from games.models import Player
from games.names import fold_name
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


def players_with_external_id(scheme: str, number: str) -> "QuerySet[Player]":
    """Return the players with an id of an organisation, such as `fide` and `1503014`."""
    return with_external_id(unmerged_players(), scheme, number)


def with_external_id(players: "QuerySet[Any]", scheme: str, number: str) -> "QuerySet[Any]":
    """Return those of the players with an id of an organisation."""
    with_id = players.alias(external_id=KeyTransform(scheme, "external_ids"))
    return with_id.filter(external_id=number)
