"""Players: register a person, correct their details, delete a registration.

A change of a player locks the journal of the site first (tournament/players/claims.py).
"""

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import ProtectedError, QuerySet

from games.core.errors import Conflict, Forbidden, Unprocessable
from games.core.journal.lines import SITE, append_line, lock_head
from games.core.journal.rows import Rows, changed_rows, combined, deleted_rows
from games.models import Account, HiddenName, Player
from games.players.matching import NO_SEED_RATING, SEED_FIELDS, check_registrations
from games.players.queries import has_id, players_with_external_id
from games.rules.text import Text


def register_player(*, by: Account, stream: str = "", **details: Any) -> Player:
    """Create a player, in an event if there is one.

    Two players may have the same name, but not the same external id.
    """
    _check_seed(details)
    with transaction.atomic():
        check_registrations(1, by=by)
        lock_head(SITE)
        _check_external_ids(details.get("external_ids", {}), Player())
        seed_by = None if details.get("seed_rating") is None else by
        player = Player.objects.create(
            **details, seed_by=seed_by, registered_by=by, registered_in=stream
        )
        payload = {"player": player.pk, "name": player.name}
        append_line(SITE, "player.registered", payload, by=by, rows=changed_rows(player))
    return player


TEXTS: Final = frozenset({"name", "club", "external_ids"})
"""What of a player says what its author likes; staff hides the name and the club."""


def hide_name(player: Player, *, reason: str, by: Account) -> Player:
    """Replace the name of a player by their number, and their club; raises Conflict if it is so.

    The journal keeps the old ones. Only staff changes them, and the ids of organisations, from then
    on; a new name ends it.
    """
    with transaction.atomic():
        lock_head(SITE)
        if HiddenName.objects.filter(about=player.hidden_as).exists():
            detail = Text("the name of player %(number)s is hidden already", number=player.pk)
            raise Conflict("nothing_to_do", detail)
        changes = {"name": f"Player {player.pk}", "club": ""}
        player = edit_player(player, changes, by=by)
        hidden = HiddenName.objects.create(about=player.hidden_as)
        payload = {"player": player.pk, "reason": reason}
        append_line(SITE, "player.hidden", payload, by=by, rows=changed_rows(hidden))
    return player


def edit_player(player: Player, changes: Mapping[str, Any], *, by: Account) -> Player:
    """Correct the details of a player; events and games show the new ones.

    Raises Conflict if another player has one of the external ids, and Forbidden for a new name or
    club where staff has hidden them.
    """
    with transaction.atomic():
        lock_head(SITE)
        player = Player.objects.select_for_update().get(pk=player.pk)
        changes = dict(changes)
        _check_external_ids(changes.get("external_ids", {}), player)
        _check_seed({name: changes.get(name, getattr(player, name)) for name in SEED_FIELDS})
        new = {name: value for name, value in changes.items() if value != getattr(player, name)}
        old = {name: getattr(player, name) for name in new}
        for name, value in new.items():
            setattr(player, name, value)
        if not new.keys().isdisjoint(SEED_FIELDS):
            player.seed_by = by
        if new:
            player.save(update_fields=[*new, "seed_by", "folded_name", "skeleton"])
            payload = {"player": player.pk, "old": old, "new": new}
            rows = combined(changed_rows(player), _shown_again(player, new, by=by))
            append_line(SITE, "player.edited", payload, by=by, rows=rows)
    return player


def _shown_again(player: Player, new: Mapping[str, Any], *, by: Account) -> Rows:
    """Show a hidden name again if staff gives a new one; raises Forbidden for others."""
    hidden = None
    if not TEXTS.isdisjoint(new):
        hidden = HiddenName.objects.filter(about=player.hidden_as).first()
    if hidden is not None and not by.acts_as_staff:
        detail = Text("the site's staff has hidden the name; only they change name, club and ids")
        raise Forbidden("name_hidden", detail)
    if hidden is None or "name" not in new:
        return {}
    rows = deleted_rows(hidden)
    hidden.delete()
    return rows


def delete_player(player: Player, *, by: Account) -> None:
    """Delete a player who was never entered and never played; raises Conflict otherwise."""
    number, rows = player.pk, deleted_rows(player)
    with transaction.atomic():
        lock_head(SITE)
        try:
            player.delete()
        except ProtectedError as error:
            detail = Text(
                "%(name)s was entered or has played; a second registration of the "
                "same person is merged, not deleted",
                name=player.name,
            )
            raise Conflict("player_in_use", detail) from error
        append_line(SITE, "player.deleted", {"player": number}, by=by, rows=rows)


def delete_players(players: "QuerySet[Player]", *, by: Account | None) -> int:
    """Delete players to whom nothing refers, with one line of the journal; return how many."""
    with transaction.atomic():
        lock_head(SITE)
        found = list(players)
        if found:
            numbers, rows = [player.pk for player in found], deleted_rows(*found)
            Player.objects.filter(pk__in=numbers).delete()
            append_line(SITE, "players.deleted", {"players": numbers}, by=by, rows=rows)
    return len(found)


def _check_seed(details: Mapping[str, Any]) -> None:
    """Raise Unprocessable for games, or a rating of 2400 once, of a player without a rating."""
    if not details.get("seed_rating"):
        for name in SEED_FIELDS[1:]:
            if details.get(name):
                raise Unprocessable("no_seed_rating", NO_SEED_RATING, at=f"/{name}")


def _check_external_ids(external_ids: Mapping[str, str], player: Player) -> None:
    """Raise Conflict if another player has one of the ids."""
    for scheme, number in external_ids.items():
        other = players_with_external_id(scheme, number).exclude(pk=player.pk).first()
        if other is not None:
            detail = has_id(other, scheme, number)
            at = f"/external_ids/{scheme}"
            raise Conflict("external_id_taken", detail, at=at, player_id=other.pk)
