"""What `If-Match` is about: a tournament, a round, an entry, a player.

A round has the version of its pairings, so results do not disturb its publication. The version of
an entry does not contain its pairing number, because a late entry moves the numbers of others.
"""

from collections.abc import Iterable
from typing import Any

from games.core.journal.lines import SITE, lock_head
from games.core.journal.rows import journalled_fields
from games.core.preconditions import Target, last_line, version_of
from games.models import Player
from games.models.columns import columns_of
from tournament.core.locking import lock_entry, lock_round, lock_tournament
from tournament.models import Entry, Round, Tournament
from tournament.models.settings import SETTINGS

ROUND_COLUMNS = ("state", "version", "system", "reason", "relaxed", "starts_on", "start_time")
ANSWERS = ("agreement", "consented_at")
OF_THE_EVENT = frozenset(
    {*("ordinal", "player", "pairing_number", "printed_number", "entered_at"), *ANSWERS}
)
"""The columns of an entry that change without its organiser, or never."""
ENTRY_COLUMNS = [name for name in columns_of(Entry).journalled if name not in OF_THE_EVENT]
OF_THE_REGISTRATION = frozenset({"account", "seed_by", "registered_by", "created_at"})
"""The columns of a player that nobody corrects: claims, or personal links, change the account."""
PLAYER_COLUMNS = [
    field.attname for field in journalled_fields(Player) if field.name not in OF_THE_REGISTRATION
]


def tournament_target(tournament: Tournament) -> Target:
    """Return a tournament with its settings and its state."""

    def read_version(locked: bool) -> str:
        row = lock_tournament(tournament) if locked else tournament
        if not locked:
            row.refresh_from_db()
        return version_of(row, "state", *SETTINGS)

    return Target(tournament.stream, read_version, lambda kind, _: kind.startswith("tournament."))


def round_target(this_round: Round) -> Target:
    """Return a round of a tournament with the version of its pairings."""
    tournament, number = this_round.tournament, this_round.number

    def read_version(locked: bool) -> str:
        if locked:
            return version_of(lock_round(lock_tournament(tournament), number), *ROUND_COLUMNS)
        this_round.refresh_from_db(fields=ROUND_COLUMNS)
        return version_of(this_round, *ROUND_COLUMNS)

    return Target(tournament.stream, read_version, _names("round", number))


def entry_target(tournament: Tournament, entry: Entry) -> Target:
    """Return an entry of a tournament."""

    def read_version(locked: bool) -> str:
        if not locked:
            entry.refresh_from_db(fields=ENTRY_COLUMNS)
        row = lock_entry(lock_tournament(tournament), entry) if locked else entry
        return version_of(row, *ENTRY_COLUMNS)

    return Target(tournament.stream, read_version, _names("entry", entry.pk))


def entry_tags(tournament: Tournament, entries: Iterable[Entry]) -> dict[int, str]:
    """Return the tag of each entry, by its id, in one query."""
    line = last_line(tournament.stream)
    return {entry.pk: f"{line}.{version_of(entry, *ENTRY_COLUMNS)}" for entry in entries}


def player_target(player: Player) -> Target:
    """Return a player with the details that can be corrected."""

    def read_version(locked: bool) -> str:
        if locked:
            lock_head(SITE)
        else:
            player.refresh_from_db(fields=PLAYER_COLUMNS)
        players = Player.objects.select_for_update(of=("self",))
        return version_of(players.get(pk=player.pk) if locked else player, *PLAYER_COLUMNS)

    return Target(SITE, read_version, _names("player", player.pk))


def _names(name: str, value: int) -> Any:
    return lambda _, payload: payload.get(name) == value
