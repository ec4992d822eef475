"""Find the players of a file among those registered, by FIDE id or by name and country."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Q

from games.bulk import BATCH_SIZE, chunks
from games.imports.progress import Progress
from games.journal import append_line
from games.models import Account, Player
from games.services.players import SITE
from tournament.imports.bulk import insert_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDetails:
    """What a file contains about a player; `fide` is the FIDE id."""

    name: str
    country: str = ""
    club: str = ""
    fide: str = ""
    seed_rating: int | None = None


@dataclass(frozen=True, slots=True)
class MatchedPlayer:
    """The player that a file means: registered before, or new."""

    player: Player
    is_new: bool = False

    @property
    def action(self) -> str:
        """Return what the import did, as in the API."""
        return "created" if self.is_new else "known"


def find_or_create_players(
    details: Sequence[PlayerDetails],
    *,
    by: Account,
    taken: Iterable[int] = (),
    progress: Progress,
) -> list[MatchedPlayer]:
    """Return the players of `match_players`, and register those who are new."""
    matched = match_players(details, taken=taken, progress=progress)
    register_new_players(matched, by=by, progress=progress)
    return matched


def match_players(
    details: Sequence[PlayerDetails], *, taken: Iterable[int] = (), progress: Progress
) -> list[MatchedPlayer]:
    """Return a different player for each item; those who are new are not saved.

    The FIDE id decides; without it, name and country, and the lowest player id if several players
    share them. `taken` are the ids of players that other lines of the file mean.
    """
    used = set(taken)
    by_fide_id = {str(player.external_ids["fide"]): player for player in _with_fide_ids(details)}
    by_name: dict[tuple[str, str], list[Player]] = {}
    for player in _with_names(details, progress):
        by_name.setdefault((player.name, player.country), []).append(player)

    matched: list[MatchedPlayer] = []
    for item in details:
        same_name = by_name.get((item.name, item.country), [])
        candidates = [by_fide_id[item.fide]] if item.fide in by_fide_id else same_name
        found = next((player for player in candidates if player.pk not in used), None)
        if found is not None:
            used.add(found.pk)
        matched.append(MatchedPlayer(found or _new_player(item), is_new=found is None))
    return matched


def register_new_players(
    matched: Sequence[MatchedPlayer], *, by: Account, progress: Progress
) -> None:
    """Save the players who are new; one journal line lists them."""
    new = [found.player for found in matched if found.is_new]
    if new:
        progress("registering players", 0, len(new))
        insert_rows(new)
        append_line(SITE, "players.imported", {"players": [player.pk for player in new]}, by=by)


def _new_player(details: PlayerDetails) -> Player:
    return Player(
        name=details.name,
        country=details.country,
        club=details.club,
        seed_rating=details.seed_rating,
        external_ids={"fide": details.fide} if details.fide else {},
    )


def _with_fide_ids(details: Sequence[PlayerDetails]) -> Iterator[Player]:
    for ids in chunks(sorted({item.fide for item in details if item.fide})):
        yield from _players(Q(external_ids__fide__in=ids))


def _with_names(details: Sequence[PlayerDetails], progress: Progress) -> Iterator[Player]:
    names = sorted({item.name for item in details})
    for count, chunk in enumerate(chunks(names)):
        progress("matching players", count * BATCH_SIZE, len(names))
        yield from _players(Q(name__in=chunk))


def _players(condition: Q) -> Iterable[Player]:
    return Player.objects.filter(condition, merged_into__isnull=True).order_by("pk")
