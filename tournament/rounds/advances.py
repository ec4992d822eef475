"""Who advances in a bracket by the current results, compared with the rounds that are paired."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from games.core.errors import Conflict
from games.play.queries import rows_as_dicts
from games.rules.text import Text
from tournament.core.corrected_results import NO_CORRECTIONS, CorrectedValues
from tournament.core.engine import load_request
from tournament.core.queries import current_pairings, numbered_entries
from tournament.core.systems import system_of
from tournament.models import Correction, Pairing, Round, Tournament
from tournament.pairing.errors import PairingError, UndecidedTies
from tournament.pairing.request import Pair
from tournament.standings.crosstable import PlayerId

ADVANCE_CHANGES = "advance_changes"
Stored = Mapping[str, Any]
"""A change or a part of an effect, as it is stored."""


@dataclass(frozen=True, slots=True)
class ChangedAdvances:
    """The first round that other players should play; pairs of pairing numbers, lower first.

    If the results leave ties before the round that are not decided, no board is due, and `tied` are
    the players of each.
    """

    round: Round
    paired: tuple[Pair, ...]
    due: tuple[Pair, ...]
    tied: tuple[tuple[PlayerId, ...], ...] = ()

    @property
    def detail(self) -> str:
        """Return what is wrong with the round, as a sentence; one query."""
        entries = numbered_entries(self.round.tournament)
        names = entries.values_list("pairing_number", "player__name")
        return describe_advances(self.as_json(), dict(names))

    def as_json(self) -> dict[str, Any]:
        """Return the round as JSON to store."""
        return {
            "round": self.round.number,
            "state": self.round.state,
            "paired": [{"numbers": list(pair)} for pair in self.paired],
            "due": [{"numbers": list(pair)} for pair in self.due],
            "tied": [{"numbers": list(players)} for players in self.tied],
        }


def find_changed_advances(
    tournament: Tournament, corrected: CorrectedValues = NO_CORRECTIONS
) -> ChangedAdvances | None:
    """Return the first paired round of a bracket that the results contradict.

    `corrected` are the values of a correction that is not committed. Rounds that were set by hand
    are not compared. None if all players advanced as they should, or if there is no bracket.
    """
    if system_of(tournament).find_progress is None:
        return None
    paired_rounds = tournament.round_set.exclude(state=Round.State.PLANNED)
    games = rows_as_dicts(
        current_pairings(tournament).filter(kind=Pairing.Kind.GAME),
        "round__number", "first__pairing_number", "second__pairing_number",
    )  # fmt: skip
    boards = [
        (row["round__number"], row["first__pairing_number"], row["second__pairing_number"])
        for row in games
    ]
    for this_round in paired_rounds.filter(system=tournament.system).order_by("number"):
        request = load_request(tournament, this_round.number, corrected)
        paired = [board[1:] for board in boards if board[0] == this_round.number]
        try:
            due = system_of(tournament).pair(request).pairs
        except UndecidedTies as error:
            ties = tuple(tie.players for tie in error.ties)
            return ChangedAdvances(this_round, _in_order(paired), (), ties)
        except PairingError:
            continue  # an earlier round already contradicts the bracket
        if _in_order(due) != _in_order(paired):
            old, new = set(_in_order(paired)), set(_in_order(due))
            return ChangedAdvances(this_round, _in_order(old - new), _in_order(new - old))
    return None


def require_accepted_advances(
    found: ChangedAdvances | None, *, accept: Collection[str] = ()
) -> None:
    """Raise Conflict if corrected results change who should have advanced, unless accepted.

    A draft is withdrawn anyway.
    """
    if found and found.round.state != Round.State.DRAFTED and ADVANCE_CHANGES not in accept:
        detail = Text(
            '%(detail)s; confirm with `accept: ["%(code)s"]`, or unpair the round '
            "first; the scope %(scope)s leaves the bracket as it was played",
            detail=found.detail,
            code=ADVANCE_CHANGES,
            scope=Correction.Scope.STANDINGS.value,
        )
        raise Conflict(ADVANCE_CHANGES, detail, round=found.round.number)


def _in_order(pairs: Collection[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted((min(pair), max(pair)) for pair in pairs))


def describe_advances(stored: Stored, names: Mapping[int, str]) -> str:
    """Return what is wrong with a round in which others should meet; `names` are by number."""

    def named(found: Stored) -> list[str]:
        return [f"{number} {names.get(number, '')}".strip() for number in found["numbers"]]

    due, paired = (
        [" – ".join(named(pair)) for pair in stored[name]] or Text("nobody")
        for name in ("due", "paired")
    )
    if ties := stored.get("tied"):
        tied = ["; ".join(named(tie)) for tie in ties]
        return Text(
            "round %(number)s is %(state)s with %(pairs)s; by the results, these are tied for "
            "places that qualify: %(tied)s",
            number=stored["round"],
            state=Round.State(stored["state"]),
            pairs=paired,
            tied=", ".join(tied),
        )
    return Text(
        "round %(number)s is %(state)s with %(pairs)s; by the results, %(due)s meet instead",
        number=stored["round"],
        state=Round.State(stored["state"]),
        pairs=paired,
        due=due,
    )
