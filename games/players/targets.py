"""What `If-Match` is about: the details of a player that can be corrected."""

from games.core.journal.lines import SITE, lock_head
from games.core.journal.rows import journalled_fields
from games.core.preconditions import Target, line_names, version_of
from games.models import Player

OF_THE_REGISTRATION = frozenset({"account", "seed_by", "registered_by", "created_at"})
"""The columns of a player that nobody corrects: claims, or personal links, change the account."""
PLAYER_COLUMNS = [
    field.attname for field in journalled_fields(Player) if field.name not in OF_THE_REGISTRATION
]


def player_target(player: Player) -> Target:
    """Return a player with the details that can be corrected."""

    def read_version(locked: bool) -> str:
        if locked:
            lock_head(SITE)
        else:
            player.refresh_from_db(fields=PLAYER_COLUMNS)
        players = Player.objects.select_for_update()
        return version_of(players.get(pk=player.pk) if locked else player, *PLAYER_COLUMNS)

    return Target(SITE, read_version, line_names("player", player.pk))
