"""The page of each pairing system: what it is called, what it does, what can be set, its source.

`SYSTEMS` is the whole list an organiser can choose from.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tournament.pairing.options import Option, OptionValue
from tournament.pairing.request import PairingSystem
from tournament.pairing.separations import with_wishes
from tournament.pairing.systems import groups, knockout, mcmahon, round_robin
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.systems.monrad import pair_monrad
from tournament.standings.crosstable import Crosstable, PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One system.

    `rounds_needed` tells for a number of players, the rounds planned and the options how many
    rounds there must be; None when any number will do. A system with a schedule fixes it at the
    start: no late entries, and the boards of absent players stay. `check` raises OptionError for
    options that contradict each other. `starting_scores` gives units by player, where there are
    any. `separates` tells whether it can keep pairs apart, `frees_seats` whether it can be told
    that seats carry no advantage. `accelerated` asks for Baku's virtual points. `kind` is what a
    tournament report calls it.
    """

    name: str
    summary: str
    source: str
    pair: PairingSystem
    options: tuple[Option, ...] = ()
    rounds_needed: Callable[[int, int, Mapping[str, OptionValue]], int] | None = None
    check: Callable[[Mapping[str, OptionValue]], None] | None = None
    starting_scores: (
        Callable[[Crosstable, Mapping[str, OptionValue]], Mapping[PlayerId, int]] | None
    ) = None
    has_schedule: bool = False
    is_round_robin: bool = False
    kind: str = "Swiss-System"
    separates: bool = True
    frees_seats: bool = True
    accelerated: bool = False
    keeps_absolutes_apart: bool = False
    reads_ratings: bool = True

    def as_dict(self, code: str) -> dict[str, Any]:
        """Give the page for the API."""
        return {
            "code": code,
            "name": self.name,
            "summary": self.summary,
            "source": self.source,
            "separations": self.separates,
            "seat_balance_off": self.frees_seats,
            "late_entries": not self.has_schedule,
            "options": [option.as_dict() for option in self.options],
        }


SYSTEMS: dict[str, System] = {
    "dutch": System(
        name="FIDE Dutch system",
        summary=(
            "Score groups, the upper half against the lower, with every absolute and quality "
            "criterion on rematches, byes, floats and seats."
        ),
        source="FIDE Handbook C.04.3 with C.04.1 and C.04.2, in force from 2026-02-01",
        pair=with_wishes(pair_dutch),
        keeps_absolutes_apart=True,
        reads_ratings=False,
    ),
    "dutch-baku": System(
        name="FIDE Dutch system with Baku acceleration",
        summary=(
            "The Dutch system, with virtual points for the upper half of the field in the first "
            "half of the rounds, so that equals meet earlier in a large field."
        ),
        source="FIDE Handbook C.04.3 and C.04.7 (Baku acceleration), in force from 2026-02-01",
        pair=with_wishes(pair_dutch),
        accelerated=True,
        keeps_absolutes_apart=True,
        reads_ratings=False,
    ),
    "monrad": System(
        name="Monrad",
        summary=(
            "Neighbours in the standing order meet, unless they have met before; the nearest "
            "below who leaves a pairing for the others."
        ),
        source="the Nordic Monrad system; byes and boards by C.04.1 and C.04.2 of 2026-02-01",
        pair=with_wishes(pair_monrad),
        kind="Swiss-System (Monrad)",
    ),
    "mcmahon": System(
        name="McMahon",
        summary=(
            "Starting scores by rating, between a floor and a bar, then score groups, so that "
            "equals meet from the first round on. A handicap is recommended from the difference "
            "of the scores."
        ),
        source="the McMahon system of Go, as the options set it; byes by C.04.1 of 2026-02-01",
        pair=with_wishes(mcmahon.pair_mcmahon),
        options=mcmahon.OPTIONS,
        check=mcmahon.check,
        starting_scores=mcmahon.starting_scores,
        kind="Swiss-System (McMahon)",
    ),
    "round-robin": System(
        name="Round robin",
        summary=(
            "Everybody meets everybody, once a cycle, by the Berger tables; with an odd number "
            "one is free each round. Seats change each cycle. The games of somebody who is away "
            "stay and are lost by forfeit, or fall out, as chosen."
        ),
        source="FIDE Handbook C.05 annex 1 (Berger tables)",
        pair=round_robin.pair_round_robin,
        options=round_robin.OPTIONS,
        rounds_needed=round_robin.rounds_needed,
        has_schedule=True,
        is_round_robin=True,
        kind="Round-Robin",
        separates=False,
        frees_seats=False,
    ),
    "knockout": System(
        name="Knockout",
        summary=(
            "Who loses a tie is out. Folded seeds, byes to the top seeds, ties of one game or the "
            "best of several with changing seats; a game for the third place on request. Who is "
            "away loses by forfeit; a level tie is decided as chosen."
        ),
        source="no code of FIDE's; folded seeding as usual in sports",
        pair=knockout.pair_knockout,
        options=knockout.OPTIONS,
        rounds_needed=knockout.rounds_needed,
        kind="Knock-Out",
        has_schedule=True,
        separates=False,
    ),
    "groups-knockout": System(
        name="Groups, then knockout",
        summary=(
            "Groups filled as a snake by seed play round robins by the Berger tables; the best of "
            "each go on to a knockout, seeded by their places so that groups meet late."
        ),
        source="FIDE Handbook C.05 annex 1 for the groups; folded seeding for the knockout",
        pair=groups.pair_groups,
        options=groups.OPTIONS,
        rounds_needed=groups.rounds_needed,
        kind="Groups and Knock-Out",
        has_schedule=True,
        separates=False,
    ),
}
