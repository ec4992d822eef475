"""Pairing numbers: in seed order, or by lot if a round robin is set up so.

The seed order is by rating, then by name without case and accents (C.04.2 article 2, 2026-02-01).
The organiser may enter the lots that were drawn before the start; if no entry has one, the draw
seed gives them.

If the event takes its seeds from the pool, an entry gets the rating there with its number.

A late entry is inserted at its place in the seed order (article 2.5). A corrected rating gives new
numbers until the fourth round is paired (article 2.3). Systems in which the numbers decide more
than an order, a schedule, Baku's groups or starting scores, have none after round 1 is paired.
"""

from collections.abc import Iterable, Sequence
from math import inf
from random import Random

from django.db.models import Q

from games.core.errors import Conflict
from games.core.journal.rows import Rows, changed_rows
from games.names import fold_name
from games.rules.text import Text
from ratings.models import Rating
from tournament.core.states import first_unpaired_round
from tournament.core.systems import system_of
from tournament.models import Entry, Tournament
from tournament.pairing.systems import round_robin

RENUMBERED_ROUNDS = 4
"""No number changes by a corrected rating once so many rounds are paired."""


def number_entries(tournament: Tournament) -> Rows:
    """Number the accepted entries that have no pairing number; later numbers move up.

    Return the changed columns. Raises Conflict if only some entries have a lot, or two have the
    same.
    """
    order, columns = _order_entries(tournament, _numbered_or_accepted(tournament))
    return changed_rows(*_save_numbers(order, *columns))


def preview_numbers(tournament: Tournament, new: Iterable[Entry]) -> list[Entry]:
    """Return the entries with their numbers, as `number_entries` would store them.

    The new entries are not saved. Nothing is written.
    """
    order, _ = _order_entries(tournament, [*_numbered_or_accepted(tournament), *new])
    for number, entry in enumerate(order, start=1):
        entry.pairing_number = number
    return order


def _order_entries(
    tournament: Tournament, entries: Iterable[Entry]
) -> tuple[list[Entry], list[str]]:
    """Return the entries in the order of their numbers, and the columns that were set."""
    entries = list(entries)
    order = [entry for entry in entries if entry.pairing_number is not None]
    order.sort(key=lambda entry: entry.pairing_number or 0)
    new = [entry for entry in entries if entry.pairing_number is None]
    columns = []
    if tournament.seed_source == Tournament.SeedSource.POOL:
        _seed_from_pool(tournament, new)
        columns.append("seed_rating")
    new = _in_seed_order(new)
    if numbers_by_lot(tournament):
        _complete_lots(tournament, new)
        new.sort(key=lambda entry: entry.lot or 0)
        columns.append("lot")
    if not order:
        order, new = new, []
    for entry in new:
        later = (place for place, other in enumerate(order) if _seed(other) > _seed(entry))
        order.insert(next(later, len(order)), entry)
    return order, columns


def can_renumber(tournament: Tournament) -> bool:
    """Return True if a corrected rating gives the entries of a running event new numbers."""
    system = system_of(tournament)
    has_fixed_numbers = system.has_schedule or system.is_accelerated or system.starting_scores
    last = 1 if has_fixed_numbers else RENUMBERED_ROUNDS
    is_running = tournament.state == Tournament.State.RUNNING
    return is_running and first_unpaired_round(tournament) <= last


def renumber_entries(tournament: Tournament) -> list[Entry]:
    """Number all entries again in seed order; return those that change."""
    if numbers_by_lot(tournament):
        return []
    order = _in_seed_order(_numbered_or_accepted(tournament))
    return _save_numbers(order)


def store_printed_numbers(tournament: Tournament) -> Rows:
    """Store that the papers printed from now on have the present pairing numbers.

    Return the changed columns.
    """
    entries = list(tournament.entries.all())
    changed = [entry for entry in entries if entry.printed_number != entry.pairing_number]
    for entry in changed:
        entry.printed_number = entry.pairing_number
    Entry.objects.bulk_update(changed, ["printed_number"])
    return changed_rows(*changed)


def _numbered_or_accepted(tournament: Tournament) -> Iterable[Entry]:
    """Return the accepted entries, and the withdrawn ones that have a number."""
    entries = tournament.entries.filter(
        Q(state=Entry.State.ACCEPTED) | Q(pairing_number__isnull=False)
    ).select_related("player")
    for entry in entries:
        entry.tournament = tournament
    return entries


def _seed(entry: Entry) -> tuple[int, str, float]:
    """Return what the seed order compares; an entry that is not saved is later than the others."""
    return -entry.seed_rating, fold_name(entry.player.name), entry.pk or inf


def _in_seed_order(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=_seed)


def _save_numbers(order: Iterable[Entry], *columns: str) -> list[Entry]:
    """Number the entries in this order; return those that change.

    Their `columns` are stored as well.
    """
    changed = []
    for number, entry in enumerate(order, start=1):
        if entry.pairing_number != number:
            entry.pairing_number = number
            changed.append(entry)
    Entry.objects.bulk_update(changed, ["pairing_number", *columns])
    return changed


def _seed_from_pool(tournament: Tournament, entries: Sequence[Entry]) -> None:
    """Give entries their rating in the pool; those without one there keep the given rating.

    A rating is rounded to whole points, a half up, as FIDE rounds; an unrated player has 0, so the
    lowest is 1.
    """
    rated = Rating.objects.filter(pool__code=tournament.pool)
    ratings = dict(rated.values_list("player_id", "rating"))
    for entry in entries:
        rating = ratings.get(entry.player.merged_into_id or entry.player_id)
        if rating is not None:
            entry.seed_rating = max(1, (rating + 500) // 1000)


def _complete_lots(tournament: Tournament, entries: list[Entry]) -> None:
    """Draw the lots of entries in seed order, unless all have one."""
    lots = [entry.lot for entry in entries if entry.lot is not None]
    if not lots:
        drawn = list(range(1, len(entries) + 1))
        Random(tournament.draw_seed).shuffle(drawn)
        for entry, lot in zip(entries, drawn, strict=True):
            entry.lot = lot
    elif len(lots) < len(entries):
        without = "; ".join(entry.player.name for entry in entries if entry.lot is None)
        raise Conflict(
            "lots_incomplete",
            Text("some entries have a lot, but not %(names)s", names=without[:200]),
        )
    elif len(set(lots)) < len(lots):
        repeated = max(lots, key=lots.count)
        raise Conflict("lot_twice", Text("two entries have the lot %(lot)s", lot=repeated))


def numbers_by_lot(tournament: Tournament) -> bool:
    """Return True if the pairing numbers are drawn by lot, not given in seed order."""
    is_choice = round_robin.NUMBERS_OPTION in system_of(tournament).options
    return is_choice and round_robin.NUMBERS_OPTION.read(tournament.system_options) == "lot"
