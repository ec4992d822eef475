"""Who may correct, delete and erase a player; `require_player` decides who may correct one."""

from dataclasses import dataclass

from rest_framework.request import Request

from games.core.errors import ApiError
from games.core.permissions import may
from games.core.requests import current_account, require_account
from games.models import Account, Player
from tournament.core.lookup import player_seen, require_player


@dataclass(frozen=True, slots=True)
class PlayerRights:
    """What a caller may do with a player."""

    edit: bool
    delete: bool
    erase: bool

    def __bool__(self) -> bool:
        return self.edit or self.delete or self.erase


def require_deletion(request: Request, player_id: int) -> tuple[Player, Account]:
    """Return a player whom the caller may delete if unused, and the caller's account.

    The account that registered the player may, and those who may correct the player. Raise
    NotFound, 401 or 403.
    """
    player = player_seen(player_id)
    if player.registered_by_id is not None and player.registered_by_id == request.user.pk:
        return player, require_account(request, "players.create")
    return require_player(request, player_id)


def find_rights(request: Request, player: Player) -> PlayerRights:
    """Return what the caller may do with a player; no query for a stranger."""
    user, token = current_account(request)
    if not isinstance(user, Account):
        return PlayerRights(edit=False, delete=False, erase=False)
    has_registered = player.registered_by_id == user.pk and may(user, token, "players.create")
    can_edit = _may_edit(request, player)
    return PlayerRights(
        edit=can_edit,
        delete=can_edit or has_registered,
        erase=user.is_staff and may(user, token, "player.administer"),
    )


def _may_edit(request: Request, player: Player) -> bool:
    try:
        require_player(request, player.pk)
    except ApiError:
        return False
    return True
