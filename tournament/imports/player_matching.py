"""Who is meant by a line: a registered player, by id or by name and country, or a new one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Q

from games.bulk import chunks
from games.imports.progress import Progress, no_progress
from games.journal.lines import append_line
from games.models import Account, Player
from tournament.imports.bulk import insert

STEP = 250
SITE = "site"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A player as a file tells of one; `fide` is FIDE's id."""

    name: str
    country: str = ""
    club: str = ""
    fide: str = ""
    seed_rating: int | None = None


@dataclass(frozen=True, slots=True)
class Met:
    """A person found among the players, or made."""

    player: Player
    is_new: bool

    @property
    def action(self) -> str:
        """What happened, as the API tells it."""
        return "created" if self.is_new else "known"


def meet(
    people: Sequence[Person],
    *,
    by: Account,
    taken: Iterable[int] = (),
    progress: Progress = no_progress,
) -> list[Met]:
    """Find each person among the registered players, else register one; no player twice.

    FIDE's id decides first, then name and country, the oldest where several are alike. `taken`
    are players that somebody else in the file is already. One journal line tells who was made.
    """
    known = set(taken)
    by_fide = {str(one.external_ids["fide"]): one for one in _with_ids(people)}
    by_name: dict[tuple[str, str], list[Player]] = {}
    for one in _named(people, progress):
        by_name.setdefault((one.name, one.country), []).append(one)
    found: list[Player | None] = []
    for person in people:
        named = by_name.get((person.name, person.country), [])
        alike = [by_fide[person.fide]] if person.fide in by_fide else named
        free = next((one for one in alike if one.pk not in known), None)
        if free is not None:
            known.add(free.pk)
        found.append(free)
    new = [
        Player(
            name=person.name,
            country=person.country,
            club=person.club,
            seed_rating=person.seed_rating,
            external_ids={"fide": person.fide} if person.fide else {},
        )
        for person, player in zip(people, found, strict=True)
        if player is None
    ]
    insert(new, step="registering players", progress=progress)
    if new:
        append_line(SITE, "players.imported", {"players": [one.pk for one in new]}, by=by)
    made = iter(new)
    return [Met(next(made), True) if one is None else Met(one, False) for one in found]


def _with_ids(people: Sequence[Person]) -> Iterator[Player]:
    for some in chunks(sorted({person.fide for person in people if person.fide}), STEP):
        yield from _players(Q(external_ids__fide__in=some))


def _named(people: Sequence[Person], progress: Progress) -> Iterator[Player]:
    names = sorted({person.name for person in people})
    for count, some in enumerate(chunks(names, STEP)):
        progress("matching players", count * STEP, len(names))
        yield from _players(Q(name__in=some))


def _players(wanted: Q) -> Iterable[Player]:
    return Player.objects.filter(wanted, merged_into__isnull=True).order_by("pk")
