"""The formats that a plan compares: each of some systems with each of some numbers of rounds.

A round robin and a knockout need a number of rounds that follows from the number of players, so
they are compared once, whatever numbers of rounds are asked for.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NoReturn

from games.rules.text import Text
from tournament.pairing.errors import OptionError
from tournament.pairing.options import read_options
from tournament.pairing.systems import PAIRING_SYSTEMS, PairingSystem
from tournament.pairing.systems.berger import rounds_in_cycle
from tournament.pairing.usual_tiebreaks import usual_tiebreaks
from tournament.simulation.plans import EventPlan, Format, PlannedPlayer
from tournament.standings.errors import Refusal, TiebreakError, read_all, refuse_tiebreaks
from tournament.standings.tiebreaks import TIEBREAKS, parse_codes

MOST_SIMULATED_PLAYERS: Final = 400
MOST_SIMULATED_ROUNDS: Final = 40
MOST_FORMATS: Final = 12
LEAST_SIMULATIONS: Final = 20
MOST_SIMULATIONS: Final = 5000
USUAL_SIMULATIONS: Final = 200
ROUND_RANGE: Final = re.compile(r"([0-9]{1,3})(?:[-–]([0-9]{1,3}))?\Z", re.ASCII)
MOST_SEEDS: Final = 2**63 - 1
MOST_FIRST_SEAT: Final = 1000
MOST_WORK: Final = 3_000_000
"""The largest plan: players x rounds x simulations, over all formats."""


class PlanError(Refusal):
    """A plan that cannot be simulated.

    `at` is a JSON pointer to what is wrong, `valid` has the valid values if they are few.
    """

    def __init__(self, at: str, detail: str, valid: Sequence[str] = ()) -> None:
        self.at, self.detail, self.valid = at, detail, tuple(valid)
        super().__init__(detail)


def make_formats(
    players: int,
    *,
    systems: Sequence[str],
    rounds: Sequence[int],
    options: Mapping[str, Mapping[str, Any]],
    tiebreaks: Sequence[str] = (),
) -> tuple[Format, ...]:
    """Return the formats for a number of players, by system; raises PlanError.

    `options` are those of each system, by its code. The tie-breaks rank the formats of all systems;
    without any, each system has its usual ones.
    """
    if not 2 <= players <= MOST_SIMULATED_PLAYERS:
        detail = Text(
            "a plan has between 2 and %(most)s players, not %(count)s",
            most=MOST_SIMULATED_PLAYERS,
            count=players,
        )
        raise PlanError("/players", detail)
    if not systems or not rounds:
        raise PlanError("/systems", Text("a plan compares at least one format"))
    *_, made = read_all(
        *(partial(_require_system, code, systems) for code in options),
        lambda: read_all(*(partial(_require_round, wanted) for wanted in rounds)),
        lambda: read_all(
            *(
                partial(_formats_of, at, code, players, rounds, options.get(code, {}), tiebreaks)
                for at, code in enumerate(systems)
            )
        ),
    )
    formats = {(one.system, one.rounds): one for several in made for one in several}
    if len(formats) > MOST_FORMATS:
        detail = Text(
            "these are %(count)s formats; at most %(most)s are compared",
            count=len(formats),
            most=MOST_FORMATS,
        )
        raise PlanError("/rounds", detail)
    return tuple(formats.values())


def _require_system(code: str, systems: Sequence[str]) -> None:
    if code not in systems:
        detail = Text("%(system)s is not one of the systems", system=f"{code[:40]!r}")
        raise PlanError("/system_options", detail, systems)


def _require_round(number: int) -> None:
    _require("/rounds", number, 1, MOST_SIMULATED_ROUNDS)


def _formats_of(
    index: int,
    code: str,
    players: int,
    rounds: Sequence[int],
    options: Mapping[str, Any],
    tiebreaks: Sequence[str],
) -> list[Format]:
    """Return the formats of a system, for each of the numbers of rounds that are possible."""
    if code not in PAIRING_SYSTEMS:
        detail = Text("there is no pairing system %(name)s", name=f"{code[:40]!r}")
        raise PlanError(f"/systems/{index}", detail, list(PAIRING_SYSTEMS))
    possible = [number for number in rounds if 1 <= number <= MOST_SIMULATED_ROUNDS]
    numbers, chosen = read_all(
        partial(_numbers_of_rounds, code, players, possible, options),
        partial(_read_tiebreaks, code, tiebreaks),
    )
    return [
        Format(system=code, rounds=number, tiebreaks=chosen, options=dict(options))
        for number in numbers
    ]


def make_event_plan(
    players: tuple[PlannedPlayer, ...],
    formats: tuple[Format, ...],
    *,
    simulations: int = USUAL_SIMULATIONS,
    seed: int = 1,
    draws: float = 0.0,
    first_seat: int = 0,
    top: int = 3,
) -> EventPlan:
    """Return the plan of these formats; raises PlanError for one that takes too long.

    `top` is lowered to the number of players.
    """
    _require("/simulations", simulations, LEAST_SIMULATIONS, MOST_SIMULATIONS)
    _require("/seed", seed, 0, MOST_SEEDS)
    _require("/draws", draws, 0, 1)
    _require("/first_seat", first_seat, -MOST_FIRST_SEAT, MOST_FIRST_SEAT)
    _require("/top", top, 1, MOST_SIMULATED_PLAYERS)
    plan = EventPlan(
        players=players,
        formats=formats,
        simulations=simulations,
        seed=seed,
        draws=draws,
        first_seat=first_seat,
        top=min(top, len(players)),
    )
    if plan.work > MOST_WORK:
        most = simulations * MOST_WORK // plan.work
        detail = Text(
            "players x rounds x simulations over all formats are %(count)s, at "
            "most %(most)s are allowed; these formats allow %(possible)s "
            "simulations",
            count=plan.work,
            most=MOST_WORK,
            possible=most,
        )
        raise PlanError("/simulations", detail)
    return plan


def read_rounds(text: str) -> list[int]:
    """Return the numbers of rounds of a list such as `5-7,9`; raises PlanError."""
    numbers: list[int] = []
    for word in text.replace(",", " ").split():
        found = ROUND_RANGE.match(word)
        if found is None:
            raise PlanError(
                "/rounds",
                Text("%(word)s is no number of rounds; write 5, or 5-7", word=f"{word[:20]!r}"),
            )
        first, last = int(found[1]), int(found[2] or found[1])
        numbers += range(first, min(last, MOST_SIMULATED_ROUNDS + 1) + 1)
    return numbers


def _require(at: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise PlanError(
            at,
            Text(
                "%(option)s must be between %(least)s and %(most)s, not %(value)s",
                option=at[1:],
                least=least,
                most=most,
                value=value,
            ),
        )


def _numbers_of_rounds(
    code: str, players: int, rounds: Sequence[int], options: Mapping[str, Any]
) -> list[int]:
    """Return the numbers of rounds that a system has if about these are asked for.

    A wrong option is refused together with wrong numbers for the options that are right.
    """
    system = PAIRING_SYSTEMS[code]
    right, wrong = read_options(system.options, options)
    numbers = {}
    try:
        if system.check_options:
            system.check_options(right)
        for wanted in rounds:
            needed = system.rounds_needed and system.rounds_needed(players, wanted, right)
            numbers[needed or wanted] = bool(needed)
    except OptionError as error:
        wrong = wrong or [error]
    *_, possible = read_all(
        *(partial(_refuse_option, code, error) for error in wrong),
        lambda: read_all(
            *(partial(_require_possible, system, players, *number) for number in numbers.items())
        ),
    )
    return list(possible)


def _refuse_option(code: str, error: OptionError) -> NoReturn:
    at = f"/system_options/{code}/{error.name}"
    raise PlanError(at, error.detail, error.valid) from error


def _require_possible(system: PairingSystem, players: int, number: int, is_needed: bool) -> int:
    """Return a number of rounds, which the system needs or which is asked for."""
    most = (
        MOST_SIMULATED_ROUNDS if is_needed else min(MOST_SIMULATED_ROUNDS, rounds_in_cycle(players))
    )
    if number > most:
        subject = Text("%(system)s: %(players)s players", system=system.name, players=players)
        detail = (
            Text(
                "%(detail)s need %(needed)s rounds; at most %(most)s are simulated",
                detail=subject,
                needed=number,
                most=most,
            )
            if is_needed
            else Text(
                "%(detail)s can play at most %(most)s rounds, not %(rounds)s",
                detail=subject,
                most=most,
                rounds=number,
            )
        )
        raise PlanError("/systems" if is_needed else "/rounds", detail)
    return number


def _read_tiebreaks(code: str, tiebreaks: Sequence[str]) -> tuple[str, ...]:
    """Return the tie-breaks of a system: these, or the usual ones."""
    system = PAIRING_SYSTEMS[code]
    chosen = tuple(tiebreaks) or usual_tiebreaks(code)
    errors = []
    try:
        for parsed in parse_codes(
            chosen, round_robin=system.is_round_robin or bool(system.find_ties)
        ):
            tiebreak = TIEBREAKS[parsed.name]
            if tiebreak.needs_bracket and not system.find_progress:
                detail = Text("%(code)s is the final order of a knockout", code=parsed)
                errors.append(TiebreakError(detail, str(parsed)))
            if tiebreak.needs_records:
                detail = Text("%(code)s needs the records of the games", code=parsed)
                errors.append(TiebreakError(detail, str(parsed)))
        refuse_tiebreaks(errors)
    except TiebreakError as error:
        raise PlanError(
            "/tiebreaks", Text("%(subject)s: %(detail)s", subject=system.name, detail=error)
        ) from error
    return chosen
