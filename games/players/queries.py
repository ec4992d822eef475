"""Load players."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTransform

from games.core.errors import invalid_parameter
from games.core.namesakes import namesakes_of
from games.core.references import PLAYER_COLUMNS, PlayerReference, player_reference
from games.models import Player
from games.models.bulk import chunks
from games.names import fold_name, name_orders, skeleton_of
from games.rules.seat import Seat
from games.rules.text import Text

MOST_NAMESAKES: Final = 10


def has_id(player: Player, scheme: str, number: str) -> Text:
    """Return that a player has an id of an organisation, which is one person's."""
    return Text(
        "player %(number)s (%(name)s) has the id %(scheme)s:%(id)s",
        number=player.pk,
        name=player.name,
        scheme=scheme,
        id=number,
    )


def no_player(number: int) -> Text:
    """Return what errors say of a player who does not exist."""
    return Text("there is no player %(number)s", number=number)


def unmerged_players() -> "QuerySet[Player]":
    """Return the players, without those who were merged into another."""
    return Player.objects.filter(merged_into__isnull=True)


def named_player(number: int, parameter: str = "player") -> Player:
    """Return the player that a filter names, or the one they were merged into; or raise 422."""
    player = Player.objects.select_related("merged_into").filter(pk=number).first()
    if player is None:
        raise invalid_parameter(parameter, no_player(number))
    return player.current


def players_by_name(text: str) -> "QuerySet[Player]":
    """Return the players whose name contains a text, without regard to case and accents.

    A whole name is found in both orders.
    """
    orders = Q(folded_name__in=name_orders(fold_name(text)))
    return unmerged_players().filter(has_name(text) | orders)


def players_named(name: str) -> list[Player]:
    """Return the first registered players with a name, in any order, case and accents."""
    folded = fold_name(name)
    if not folded or "\0" in folded:
        return []
    return list(unmerged_players().filter(folded_name__in=name_orders(folded))[:MOST_NAMESAKES])


def has_name(text: str) -> Q:
    """Return the condition that a name contains a text, without regard to case and accents."""
    return Q(folded_name__contains=fold_name(text))


def look_alikes(
    names: Collection[str], *, namesakes: bool = False
) -> dict[str, list[PlayerReference]]:
    """Return the players whose names look like each of these, but are others.

    Given name and family name can be exchanged. With `namesakes`, also those who have the same
    name. A query for each 500 ways to write the names.
    """
    keys = {name: name_orders(skeleton_of(name)) | name_orders(fold_name(name)) for name in names}
    found: dict[str, dict[int, PlayerReference]] = defaultdict(dict)
    for chunk in chunks(sorted(set().union(*keys.values()))):
        alike = unmerged_players().filter(Q(skeleton__in=chunk) | Q(folded_name__in=chunk))
        for player in alike.only("skeleton", "folded_name", *PLAYER_COLUMNS):
            reference = player_reference(player)
            found[player.skeleton][player.pk] = found[player.folded_name][player.pk] = reference
    alike_of = {
        name: {number: other for key in wanted for number, other in found[key].items()}
        for name, wanted in keys.items()
    }
    return {
        name: [other for _, other in sorted(others.items()) if namesakes or other["name"] != name]
        for name, others in alike_of.items()
    }


def name_players(
    games: Iterable[Mapping[str, Any]], names: Mapping[int, str] | None = None
) -> None:
    """Tell apart the players of games as JSON who share a name.

    The names by id are those of an event; without them the players of the games are compared.
    """
    players = [game[seat]["player"] for game in games for seat in Seat]
    names = namesakes_of(players) if names is None else names
    for player in players:
        player["name"] = names.get(player["id"], player["name"])


def players_with_external_id(scheme: str, number: str) -> "QuerySet[Player]":
    """Return the players with an id of an organisation, such as `fide` and `1503014`."""
    return with_external_id(unmerged_players(), scheme, number)


def with_external_id(players: "QuerySet[Any]", scheme: str, number: str) -> "QuerySet[Any]":
    """Return those of the players with an id of an organisation."""
    with_id = players.alias(external_id=KeyTransform(scheme, "external_ids"))
    return with_id.filter(external_id=number)
