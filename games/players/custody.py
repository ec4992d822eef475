"""Who keeps the registration of a player, until the player has an account of their own.

The custodians of a registration are the account that made it, the owners and directors of the event
that it was made in, or the rating officers of the pool, and site staff. The officers of the pools
in which the player is rated are, too (tournament/players/custody.py). They see and correct the
personal data, and decide claims. A player with an account is their own custodian, beside site
staff. Nobody becomes one by entering a player in an event.
"""

from django.db.models import Q

from games.core.permissions import DIRECTORS
from games.models import Account, Role

OFFICIALS = (*DIRECTORS, Role.Name.RATING_OFFICER)
"""The officials of an event or a pool who keep the registrations that were made in it."""
UNCLAIMED = Q(account__email__isnull=True)
"""The condition that a player has no login, as `Player.is_claimed`."""


def kept_by(account: Account | None) -> Q:
    """Return the condition of players whose registration an account keeps; those of pools aside."""
    if account is None:
        return Q(pk__in=[])
    if account.acts_as_staff:
        return ~Q(pk__in=[])
    roles = account.roles.usable().filter(role__in=OFFICIALS)
    made = Q(registered_by=account) | Q(registered_in__in=roles.values("stream"))
    return Q(account=account) | (UNCLAIMED & made)
