"""Who advances in a bracket by the current results, compared with the rounds that are paired."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from games.http.errors import Conflict
from games.queries import rows_as_dicts
from tournament import queries
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.errors import PairingError
from tournament.pairing.request import Pair
from tournament.services.engine import load_request
from tournament.services.systems import system_of
from tournament.standings.crosstable import Crosstable, Kind

ADVANCE_CHANGES = "advance_changes"


@dataclass(frozen=True, slots=True)
class ChangedAdvances:
    """The first round that other players should play; pairs of pairing numbers, lower first."""

    round: Round
    paired: tuple[Pair, ...]
    due: tuple[Pair, ...]

    @property
    def detail(self) -> str:
        """Return what is wrong with the round, as a sentence."""
        due, paired = (
            ", ".join(f"{a}-{b}" for a, b in pairs) or "nobody" for pairs in (self.due, self.paired)
        )
        number, state = self.round.number, self.round.state
        return f"round {number} is {state} with {paired}; by the results, {due} meet instead"


def find_changed_advances(
    tournament: Tournament, changes: Mapping[int, tuple[Kind, Kind]] | None = None
) -> ChangedAdvances | None:
    """Return the first paired round of a bracket that the results contradict.

    `changes` are corrected results of both seats by game id, which are not stored yet. Rounds that
    were set by hand are not compared. None if all players advanced as they should, or if there is
    no bracket.
    """
    if system_of(tournament).find_progress is None:
        return None
    paired_rounds = tournament.round_set.exclude(state=Round.State.PLANNED)
    games = rows_as_dicts(
        queries.current_pairings(tournament).filter(kind=Pairing.Kind.GAME),
        "round__number", "game_id", "first__pairing_number", "second__pairing_number",
    )  # fmt: skip
    boards = [
        (row["round__number"], row["first__pairing_number"], row["second__pairing_number"])
        for row in games
    ]
    corrected = {
        board: changes[row["game_id"]]
        for board, row in zip(boards, games, strict=True)
        if changes and row["game_id"] in changes
    }
    for this_round in paired_rounds.filter(system=tournament.system).order_by("number"):
        request = load_request(tournament, this_round.number)
        table = _with_results(request.crosstable, corrected)
        try:
            due = system_of(tournament).pair(replace(request, crosstable=table)).pairs
        except PairingError:
            continue  # an earlier round already contradicts the bracket
        paired = [board[1:] for board in boards if board[0] == this_round.number]
        if _in_order(due) != _in_order(paired):
            old, new = set(_in_order(paired)), set(_in_order(due))
            return ChangedAdvances(this_round, _in_order(old - new), _in_order(new - old))
    return None


def require_accepted_advances(
    tournament: Tournament,
    changes: Mapping[int, tuple[Kind, Kind]],
    *,
    accept: Collection[str] = (),
) -> None:
    """Raise Conflict if corrected results change who should have advanced, unless accepted."""
    if ADVANCE_CHANGES in accept:
        return
    found = find_changed_advances(tournament, changes)
    if found:
        detail = f'{found.detail}; confirm with `accept: ["{ADVANCE_CHANGES}"]`'
        raise Conflict(ADVANCE_CHANGES, detail, round=found.round.number)


def _in_order(pairs: Collection[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def _with_results(
    table: Crosstable, corrected: Mapping[tuple[int, int, int], tuple[Kind, Kind]]
) -> Crosstable:
    """Return the crosstable with other results, by round, first and second player."""
    rows = {player.number: list(player.results) for player in table.players}
    for (number, first, second), kinds in corrected.items():
        for player, kind in zip((first, second), kinds, strict=True):
            if number <= len(rows[player]):
                result = rows[player][number - 1]
                rows[player][number - 1] = replace(result, kind=kind, awarded=None)
    players = (replace(player, results=tuple(rows[player.number])) for player in table.players)
    return replace(table, players=tuple(players))
