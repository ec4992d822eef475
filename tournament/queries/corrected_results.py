"""The results of corrected games: those that count instead of the current ones, and previews.

A correction changes the result of a game. Its scope decides which tables take that into account;
the others count the result before, which is stored in `counted` of the pairing:

| scope | standings | pairings of later rounds | ratings |
|---|---|---|---|
| standings+pairings | corrected | corrected | corrected |
| standings | corrected | as before | corrected |
| rating | as before | as before | corrected |
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from tournament.models import Correction

Scope = Correction.Scope
Values = Mapping[str, Any]
"""The result of a game as JSON: `state`, `winner`, `draw`, `termination`, `score`, `record`,
`detail`."""


class Purpose(StrEnum):
    """What a crosstable is loaded for."""

    STANDINGS = "standings"
    PAIRINGS = "pairings"


COVERED: Mapping[str, frozenset[Purpose]] = {
    Scope.ALL: frozenset(Purpose),
    Scope.STANDINGS: frozenset({Purpose.STANDINGS}),
    Scope.RATING: frozenset(),
}
"""What takes a correction into account, by its scope."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedValues:
    """Values that replace the stored ones while a correction is not committed.

    `games` are the results that count for a purpose, by game id, `byes` the kinds by round and
    entry id, None without a bye, `entries` columns by entry id.
    """

    games: Mapping[Purpose, Mapping[int, Values]] = field(default_factory=dict)
    byes: Mapping[tuple[int, int], str | None] = field(default_factory=dict)
    entries: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


STORED: Final = CorrectedValues()
"""The values as they are stored."""


def counted_after(
    counted: Mapping[str, Any] | None,
    game: int,
    before: Values,
    scope: Correction.Scope,
) -> dict[str, Any] | None:
    """Return the column `counted` of a pairing after the correction of a game of it.

    `before` is the result of the game until then.
    """
    after: dict[str, Any] = {}
    for purpose in Purpose:
        games = dict((counted or {}).get(purpose, {}))
        if purpose in COVERED[scope]:
            games.pop(str(game), None)
        else:
            games.setdefault(str(game), before)
        if games:
            after[purpose.value] = games
    return after or None


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
    games, byes = corrected.games.get(purpose, {}), dict(corrected.byes)
    for counted, game, return_game, *row in rows:
        if byes and (row[0], row[2]) in byes:
            kind = byes.pop((row[0], row[2]))
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
            yield [number, kind, entry, None, "", None, None, *[None] * (2 * len(columns))]
