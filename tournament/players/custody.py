"""Who keeps the registration of a player (games/players/custody.py), with the officers of pools."""

from django.db.models import Q, QuerySet

from games.core.permissions import Caller, current_account, require_account
from games.models import Account, Player, Role
from games.models.streams import POOL_STREAM
from games.players.custody import OFFICIALS, UNCLAIMED, kept_by
from ratings.models import Rating


def kept_players(account: Account) -> "QuerySet[Player]":
    """Return the players whose registration an account keeps."""
    officer = account.roles.filter(role=Role.Name.RATING_OFFICER, stream__startswith=POOL_STREAM)
    codes = [
        stream.removeprefix(POOL_STREAM) for stream in officer.values_list("stream", flat=True)
    ]
    kept = kept_by(account)
    if codes:
        rated = Rating.objects.filter(pool__code__in=codes).values("player")
        kept |= UNCLAIMED & Q(pk__in=rated)
    return Player.objects.filter(kept)


def is_custodian(account: Account, player: Player) -> bool:
    """Return True if an account keeps the registration of a player, or is the player."""
    if account.acts_as_staff or player.account_id == account.pk:
        return True
    if player.is_claimed:
        return False
    return player.registered_by_id == account.pk or bool(streams_of_custody(account, player))


def streams_of_custody(account: Account, player: Player) -> list[str]:
    """Return the event and the pools of a player by which the account keeps the registration."""
    pools = Rating.objects.filter(player=player).values_list("pool__code", flat=True)
    made = Q(stream=player.registered_in, role__in=OFFICIALS)
    rated = Q(stream__in=[f"{POOL_STREAM}{code}" for code in pools])
    roles = account.roles.usable().filter(made | (rated & Q(role=Role.Name.RATING_OFFICER)))
    return list(roles.order_by("stream").values_list("stream", flat=True).distinct())


def require_custodian(caller: Caller, player: Player) -> Account:
    """Return the account of a caller who keeps the registration of a player; raise 401 or 403.

    A token that is bound to an event or a pool is valid for the registrations that were made in it.
    """
    user, token = current_account(caller)
    own = ["own player"] * (player.account_id is not None and player.account_id == user.pk)
    if not isinstance(user, Account) or user.acts_as_staff or not is_custodian(user, player):
        return require_account(caller, "player.edit", seats=own)
    is_bound = token is not None and token.stream in streams_of_custody(user, player)
    stream = token.stream if token is not None and is_bound else ""
    return require_account(caller, "player.edit", stream=stream, seats=own, keeps=not own)
