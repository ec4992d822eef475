"""The pairing systems that an organiser can choose: `PAIRING_SYSTEMS`, by code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from games.rules.messages import gettext_noop
from tournament.pairing.options import Option, OptionValue
from tournament.pairing.request import PairingFunction, PairingRequest
from tournament.pairing.separations import with_preferences
from tournament.pairing.systems import groups, knockout, mcmahon, round_robin
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.systems.monrad import pair_monrad
from tournament.pairing.systems.ties import DrawBracket, FirstBoards
from tournament.standings.crosstable import Crosstable, PlayerId, Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingSystem:
    """A pairing system: its description, its options and its functions.

    - `rounds_needed` returns the number of rounds for a number of players, the planned number of
      rounds and the options; None if any number of rounds is possible.
    - `check_options` raises OptionError for options that contradict each other.
    - `starting_scores` returns units by player.
    - `handicap_ratings` returns the rating points by which handicaps are recommended, if these are
      not the ratings.
    - `find_progress` returns how far each player of a bracket got in the completed rounds, from the
      results, the options, the tie-breaks of the event, and the players of board 1 by round, as far
      as they are known.
    - `draw_bracket` returns the ties of the bracket at their places, from the same and the round
      that is being played.
    - `rank_groups` returns the groups with their rankings, and the ties that the director has to
      decide before the bracket, from the results, the options and the tie-breaks.
    - `trf_type` is the type of the tournament in a TRF file (record 092), `trf_word` the word by
      which it is recognised there, of letters only. The words of later systems are looked for
      first. `trf_code` is the code of FIDE's table (record 192), empty if there is none or if it
      depends on more than the system.
    - `has_schedule`: the start fixes who meets whom, so there are no late entries, and absent
      players keep their boards.
    - `can_separate`: pairs can be forbidden; `can_disable_seat_balance`: `balance_seats` may be
      false.
    - `can_pair_two_games`: a pairing may have two games with exchanged seats.
    - `is_accelerated`: players have Baku's virtual points.
    - `has_criterion_c3`: two players with the same absolute seat preference may not meet.
    - `compares_alternatives`: an explanation says what the round loses with another pair.
    """

    name: str
    summary: str
    source: str
    pair: PairingFunction
    options: tuple[Option, ...] = ()
    rounds_needed: Callable[[int, int, Mapping[str, OptionValue]], int] | None = None
    check_options: Callable[[Mapping[str, OptionValue]], None] | None = None
    starting_scores: (
        Callable[[Crosstable, Mapping[str, OptionValue]], Mapping[PlayerId, int]] | None
    ) = None
    handicap_ratings: Callable[[PairingRequest], Mapping[PlayerId, int]] | None = None
    find_progress: (
        Callable[
            [Crosstable, Mapping[str, OptionValue], Sequence[str], FirstBoards],
            Mapping[PlayerId, Progress],
        ]
        | None
    ) = None
    draw_bracket: DrawBracket | None = None
    rank_groups: (
        Callable[[Crosstable, Mapping[str, OptionValue], Sequence[str]], groups.GroupStage] | None
    ) = None
    trf_type: str = "Swiss-System"
    trf_word: str
    trf_code: str = ""
    has_schedule: bool = False
    is_round_robin: bool = False
    can_separate: bool = True
    can_disable_seat_balance: bool = True
    can_pair_two_games: bool = True
    is_accelerated: bool = False
    has_criterion_c3: bool = False
    compares_alternatives: bool = False
    uses_ratings: bool = True

    def as_json(self, code: str) -> dict[str, Any]:
        """Return the system's page for the API."""
        return {
            "code": code,
            "name": self.name,
            "summary": self.summary,
            "source": self.source,
            "separations": self.can_separate,
            "seat_balance_off": self.can_disable_seat_balance,
            "late_entries": not self.has_schedule,
            "two_games": self.can_pair_two_games,
            "options": [option.as_json() for option in self.options],
        }


EDITION: Final = date(2026, 2, 1)
"""The day from which this edition of C.04 is in force."""

PAIRING_SYSTEMS: dict[str, PairingSystem] = {
    "dutch": PairingSystem(
        name=gettext_noop("FIDE Dutch system"),
        summary=gettext_noop(
            "Score groups: the upper half meets the lower half, under all absolute and quality "
            "criteria for rematches, byes, floats and seats."
        ),
        source=gettext_noop(
            "FIDE Handbook C.04.3 with C.04.1 and C.04.2, in force from 2026-02-01"
        ),
        pair=with_preferences(pair_dutch),
        trf_word="DUTCH",
        trf_code="FIDE_DUTCH",
        has_criterion_c3=True,
        compares_alternatives=True,
        uses_ratings=False,
    ),
    "dutch-baku": PairingSystem(
        name=gettext_noop("FIDE Dutch system with Baku acceleration"),
        summary=gettext_noop(
            "The Dutch system, with virtual points for the upper half of the players in the first "
            "half of the rounds, so that equal players meet earlier in a large tournament."
        ),
        source=gettext_noop(
            "FIDE Handbook C.04.3 and C.04.7 (Baku acceleration), in force from 2026-02-01"
        ),
        pair=with_preferences(pair_dutch),
        trf_word="BAKU",
        trf_code="FIDE_DUTCH_BAKU",
        is_accelerated=True,
        has_criterion_c3=True,
        compares_alternatives=True,
        uses_ratings=False,
    ),
    "monrad": PairingSystem(
        name=gettext_noop("Monrad"),
        summary=gettext_noop(
            "Each player meets the next player in the standings whom they have not met and who "
            "leaves a pairing for all others."
        ),
        source=gettext_noop(
            "the Nordic Monrad system; byes and boards by C.04.1 and C.04.2 of 2026-02-01"
        ),
        pair=with_preferences(pair_monrad),
        trf_type="Swiss-System (Monrad)",
        trf_word="MONRAD",
        trf_code="CUSTOM_SWISS",
    ),
    "mcmahon": PairingSystem(
        name=gettext_noop("McMahon"),
        summary=gettext_noop(
            "Starting scores by rating, between a floor and a bar, then score groups, so that "
            "equal players meet from the first round. Handicaps, if the event has them, are "
            "recommended from the difference of the scores."
        ),
        source=gettext_noop(
            "the McMahon system of Go, as the options set it; byes by C.04.1 of 2026-02-01"
        ),
        pair=with_preferences(mcmahon.pair_mcmahon),
        options=mcmahon.MCMAHON_OPTIONS,
        check_options=mcmahon.check_options,
        starting_scores=mcmahon.starting_scores,
        handicap_ratings=mcmahon.handicap_ratings,
        trf_type="Swiss-System (McMahon)",
        trf_word="MCMAHON",
        trf_code="CUSTOM_SWISS",
    ),
    "round-robin": PairingSystem(
        name=gettext_noop("Round robin"),
        summary=gettext_noop(
            "Each player meets every other player once in each cycle, by the Berger tables. With "
            "an odd number of players, one is free in each round. Seats change in each cycle. The "
            "games of an absent player are lost by forfeit or are cancelled, as chosen."
        ),
        source=gettext_noop("FIDE Handbook C.05 annex 1 (Berger tables)"),
        pair=round_robin.pair_round_robin,
        options=round_robin.ROUND_ROBIN_OPTIONS,
        check_options=round_robin.check_options,
        rounds_needed=round_robin.rounds_needed,
        trf_type="Round-Robin",
        trf_word="ROUNDROBIN",
        has_schedule=True,
        is_round_robin=True,
        can_separate=False,
        can_disable_seat_balance=False,
    ),
    "knockout": PairingSystem(
        name=gettext_noop("Knockout"),
        summary=gettext_noop(
            "The loser of a pairing is out. Folded seeds, byes for the top seeds, pairings of "
            "one game or the best of several games with alternating seats; optionally a game "
            "for third place. An absent player loses by forfeit. An option decides pairings "
            "that end level."
        ),
        source=gettext_noop("no FIDE rule; folded seeding as usual in sports"),
        pair=knockout.pair_knockout,
        options=knockout.KNOCKOUT_OPTIONS,
        rounds_needed=knockout.rounds_needed,
        find_progress=knockout.find_progress,
        draw_bracket=knockout.draw_bracket,
        trf_type="Knock-Out",
        trf_word="KNOCKOUT",
        trf_code="CUSTOM_KNOCKOUT",
        has_schedule=True,
        can_separate=False,
        can_pair_two_games=False,
    ),
    "groups-knockout": PairingSystem(
        name=gettext_noop("Groups, then knockout"),
        summary=gettext_noop(
            "Groups, filled in snake order by seed, play round robins by the Berger tables. The "
            "best of each group, by the tie-breaks of the event, qualify for a knockout, seeded by "
            "their places so that players of the same group meet late. The director decides what "
            "the tie-breaks leave tied."
        ),
        source=gettext_noop(
            "FIDE Handbook C.05 annex 1 for the groups; folded seeding for the knockout"
        ),
        pair=groups.pair_groups,
        options=groups.GROUP_OPTIONS,
        rounds_needed=groups.rounds_needed,
        find_progress=groups.find_progress,
        draw_bracket=groups.draw_bracket,
        rank_groups=groups.rank_groups,
        trf_type="Groups and Knock-Out",
        trf_word="GROUPSANDKNOCKOUT",
        has_schedule=True,
        can_separate=False,
        can_pair_two_games=False,
    ),
}
