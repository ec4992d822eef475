"""What an event's pairing system asks of its set-up, and what it is told before each round."""

from typing import Any

from games.http.errors import Conflict, Unprocessable, unknown_key
from games.models import Player
from tournament import queries
from tournament.models import Tournament
from tournament.pairing.errors import OptionError
from tournament.pairing.options import parse_options
from tournament.pairing.request import Pair
from tournament.pairing.separations import By, separated_pairs
from tournament.pairing.systems import PAIRING_SYSTEMS, PairingSystem, round_robin
from tournament.standings.crosstable import Crosstable

LEFT_OUT = {"by": "", "preference": False, "players": [], "first_round": 1, "last_round": 0}
"""What a separation is that does not say otherwise."""


def system_of(tournament: Tournament) -> PairingSystem:
    """The page of the event's system."""
    return PAIRING_SYSTEMS[tournament.system]


def numbers_by_lot(tournament: Tournament) -> bool:
    """Whether the pairing numbers are drawn, not given in seed order."""
    is_choice = round_robin.NUMBERS in system_of(tournament).options
    return is_choice and round_robin.NUMBERS.read(tournament.system_options) == "lot"


def check_system(tournament: Tournament) -> None:
    """Raise Unprocessable for an unknown system and for what this system cannot be told."""
    if tournament.system not in PAIRING_SYSTEMS:
        raise unknown_key("system", tournament.system, list(PAIRING_SYSTEMS))
    system = system_of(tournament)
    try:
        parse_options(system.options, tournament.system_options)
        if system.check_options:
            system.check_options(tournament.system_options)
    except OptionError as error:
        raise _refusal(
            f"system_options/{error.name}", "system_option", error.detail, valid=list(error.valid)
        ) from error
    if not tournament.balance_seats and not system.can_disable_seat_balance:
        detail = f"{system.name}: the seats are those of its table"
        raise _refusal("balance_seats", "seats_are_fixed", detail)
    if tournament.separations and not system.can_separate:
        detail = f"{system.name}: who meets whom is fixed, nobody can be kept apart"
        raise _refusal("separations", "no_separations", detail)
    tournament.separations = [LEFT_OUT | one for one in tournament.separations]
    _check_separations(tournament.separations)


def _check_separations(written: list[dict[str, Any]]) -> None:
    named: set[int] = set()
    for index, one in enumerate(written):
        if one["by"] not in list(By):
            detail = f"`by` is one of {', '.join(By)}"
            raise _refusal(f"separations/{index}/by", "by", detail, valid=list(By))
        if (one["by"] == By.PLAYERS) != bool(one["players"]):
            detail = "`players` are named when, and only when, they are kept apart by `players`"
            raise _refusal(f"separations/{index}/players", "players", detail)
        if 0 < one["last_round"] < one["first_round"]:
            detail = f"it ends in round {one['last_round']}, before round {one['first_round']}"
            raise _refusal(f"separations/{index}/last_round", "rounds", detail)
        named.update(one["players"])
    known = Player.objects.filter(pk__in=named).values_list("pk", flat=True) if named else ()
    unknown = sorted(named.difference(known))
    if unknown:
        detail = f"there is no player {unknown[0]}"
        raise _refusal("separations", "unknown_player", detail)


def check_field(tournament: Tournament, players: int) -> None:
    """Raise Conflict when the rounds of the event do not fit so many players."""
    system = system_of(tournament)
    if system.rounds_needed is None:
        return
    try:
        needed = system.rounds_needed(players, tournament.rounds, tournament.system_options)
    except OptionError as error:
        raise Conflict("field_does_not_fit", error.detail) from error
    if needed != tournament.rounds:
        detail = (
            f"{system.name}: {players} players, as it is set up, take {needed} rounds; "
            f"the event has {tournament.rounds}"
        )
        wrong = {"pointer": "/rounds", "code": "rounds_do_not_fit", "detail": detail}
        raise Conflict("rounds_do_not_fit", detail, [wrong], needed=needed)


def kept_apart(
    tournament: Tournament, table: Crosstable, round_number: int
) -> tuple[frozenset[Pair], tuple[frozenset[Pair], ...]]:
    """The pairs that a round must not have, and those it would rather not, by level."""
    separations = queries.load_separations(tournament)
    return separated_pairs(separations, table, round_number) if separations else (frozenset(), ())


def _refusal(field: str, code: str, detail: str, **extra: Any) -> Unprocessable:
    return Unprocessable(
        code, detail, [{"pointer": f"/{field}", "code": code, "detail": detail}], **extra
    )
