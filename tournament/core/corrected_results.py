"""The corrected results and byes: those that count instead of the current ones, and previews.

A correction changes the result of a game, or a bye. Its scope decides which tables take that into
account; the others count what was before, which is stored in `counted` of the pairing:

| scope | standings | pairings of later rounds | ratings |
|---|---|---|---|
| standings_pairings | corrected | corrected | corrected |
| standings | corrected | as before | corrected |
| rating | as before | as before | corrected |

Byes and entries have no part in ratings, and so not the last scope.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from tournament.models import Correction, Tournament

Scope = Correction.Scope
Values = Mapping[str, Any]
"""The result of a game as JSON: `state`, `winner`, `draw`, `termination`, `score`, `record`,
`detail`."""


class Purpose(StrEnum):
    """What a crosstable is loaded for."""

    STANDINGS = "standings"
    PAIRINGS = "pairings"


COVERED_PURPOSES: Mapping[str, frozenset[Purpose]] = {
    Scope.ALL: frozenset(Purpose),
    Scope.STANDINGS: frozenset({Purpose.STANDINGS}),
    Scope.RATING: frozenset(),
}
"""What takes a correction into account, by its scope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedValues:
    """Values that replace the stored ones while a correction is not committed.

    They are those that count for a purpose: `games` are results by game id, `byes` the kinds by
    round and entry id, None without a bye, `entries` columns by entry id.
    """

    games: Mapping[Purpose, Mapping[int, Values]] = field(default_factory=dict)
    byes: Mapping[Purpose, Mapping[tuple[int, int], str | None]] = field(default_factory=dict)
    entries: Mapping[Purpose, Mapping[int, Mapping[str, Any]]] = field(default_factory=dict)


NO_CORRECTIONS: Final = CorrectedValues()
"""The values as they are stored."""
BYE_CHANGE: Final = "bye"
"""The key of the bye among the values that `counted` has for a purpose; other keys are games."""


def counted_value(counted: Mapping[str, Any] | None, purpose: Purpose, key: str, after: Any) -> Any:
    """Return what counts of a pairing for a purpose; `after` is the current value."""
    return (counted or {}).get(purpose, {}).get(key, after)


def kept_ratings(corrections: Iterable[Sequence[Any]]) -> dict[int, tuple[int, int]]:
    """Return the seed ratings that pairings count instead of corrected ones, by entry.

    A correction is its id, scope, the id of the one it undoes, and its changes, oldest first. A
    rating comes with the corrected one: if the entry was edited since, it has neither.
    """
    in_force: list[Sequence[Any]] = []
    undone: set[int] = set()
    for correction in reversed(list(corrections)):
        number, _, undoes, _ = correction
        if number in undone:
            continue
        if undoes is not None:
            undone.add(undoes)
        else:
            in_force.append(correction)
    kept: dict[int, tuple[int, int]] = {}
    for _, scope, _, changes in reversed(in_force):
        for change in changes:
            if "seed_rating" not in change.get("after", ()) or "game" in change:
                continue
            entry = change["entry"]
            before, after = (change[time]["seed_rating"] for time in ("before", "after"))
            first, current = kept.pop(entry, (before, before))
            if Purpose.PAIRINGS not in COVERED_PURPOSES[scope]:
                kept[entry] = first if current == before else before, after
    return kept


def load_kept_ratings(tournament: Tournament, *new: Sequence[Any]) -> dict[int, tuple[int, int]]:
    """Return `kept_ratings` of the corrections of an event, and of new ones."""
    stored = tournament.corrections.order_by("number")
    return kept_ratings([*stored.values_list("pk", "scope", "undoes", "changes"), *new])


def result_columns(values: Values) -> dict[str, Any]:
    """Return the result of a game as the columns of games; the record is known to exist, or not."""
    score = values["score"] or (None, None)
    return {
        "state": values["state"],
        "adjourned": False,
        "winner": values["winner"],
        "draw": values["draw"],
        "termination": values["termination"],
        "score_first": score[0],
        "score_second": score[1],
        "record_id": values["record"] or None,
        "record__outcome__detail": values["detail"],
    }


def with_counted_results(
    rows: Iterable[Sequence[Any]],
    columns: Sequence[str],
    purpose: Purpose,
    corrected: CorrectedValues,
) -> Iterator[Sequence[Any]]:
    """Yield the rows of pairings with the results and byes that count for the purpose.

    A row is `counted`, the ids of the game and of the return game, and then what is yielded: the
    round, the kind, the first entry, other columns, and these `columns` of each game.
    """
    games, byes = corrected.games.get(purpose, {}), dict(corrected.byes.get(purpose, {}))
    for counted, game, return_game, *row in rows:
        if byes and (row[0], row[2]) in byes:
            kind = byes.pop((row[0], row[2]))
            if kind is not None:
                yield [row[0], kind, *row[2:]]
            continue
        if counted and game is None:
            kind = counted_value(counted, purpose, BYE_CHANGE, row[1])
            if kind is not None:
                yield [row[0], kind, *row[2:]]
            continue
        if counted or game in games or return_game in games:
            stored = (counted or {}).get(purpose, {})
            start = len(row) - len(columns) * (1 if return_game is None else 2)
            for number in (game, return_game):
                values = games.get(number, stored.get(str(number)))
                if values is not None:
                    for index, name in enumerate(columns, start=start):
                        row[index] = result_columns(values).get(name, row[index])
                start += len(columns)
        yield row
    for (number, entry), kind in byes.items():
        if kind is not None:
            yield [number, kind, entry, None, "", None, None, "", *[None] * (2 * len(columns))]
