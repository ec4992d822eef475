"""The JSON of an event to simulate, of which a digest is taken: equal events have equal JSON."""

from typing import Any

from ratings.systems.recommendation import Catalogue
from tournament.simulation.event import OpenRound, SimulatedEvent
from tournament.simulation.rating_changes import RatingRule
from tournament.standings.crosstable import RoundResult
from tournament.standings.crosstable_json import crosstable_as_json

FORM = 2
"""Changes whenever the simulation of the same event can give other results."""


def event_as_json(event: SimulatedEvent, rule: RatingRule | None) -> dict[str, Any]:
    """Return everything that the simulations of an event depend on."""
    strengths = event.strengths
    paired_by = event.paired_by
    return {
        "form": FORM,
        "system": event.system,
        "options": dict(event.options),
        "balance_seats": event.balance_seats,
        "tiebreaks": list(event.tiebreaks),
        "crosstable": crosstable_as_json(event.crosstable),
        "paired_by": None if paired_by is None else crosstable_as_json(paired_by),
        "withdrawn": sorted(event.withdrawn),
        "open_rounds": [
            [number, *_open_round_as_json(open_round)]
            for number, open_round in sorted(event.open_rounds.items())
        ],
        "first_boards": [
            [number, sorted(players)] for number, players in sorted(event.first_boards.items())
        ],
        "ratings": sorted(strengths.ratings.items()),
        "deviations": sorted(strengths.deviations.items()),
        "draws": strengths.draws,
        "first_seat": strengths.first_seat,
        "handicaps": None if strengths.catalogue is None else _catalogue(strengths.catalogue),
        "rule": None if rule is None else _rule_as_json(rule),
    }


def _open_round_as_json(open_round: OpenRound) -> list[Any]:
    return [
        [[*pairing.pair, pairing.part, pairing.games] for pairing in open_round.pairings],
        [[n, *_result_as_json(result)] for n, result in sorted(open_round.results.items())],
    ]


def _result_as_json(result: RoundResult) -> list[Any]:
    return [result.kind, result.opponent, result.seat, result.awarded, result.games]


def _catalogue(catalogue: Catalogue) -> list[Any]:
    return [
        catalogue.game,
        catalogue.board,
        catalogue.swap,
        list(catalogue.kinds),
        catalogue.share,
        catalogue.cap,
        catalogue.version,
    ]


def _rule_as_json(rule: RatingRule) -> list[Any]:
    states, played = sorted(rule.states.items()), list(rule.played)
    return [repr(rule.system), states, played, rule.least_expected]
