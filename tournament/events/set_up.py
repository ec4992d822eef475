"""Check the set-up of an event: its pairing system, its options, its separations, its handicaps."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NoReturn

from games.core.errors import Unprocessable, check_all, unknown_key
from games.models import Player
from games.players.queries import no_player
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.core.conditions import load_table
from ratings.systems.recommendation import name_kind
from tournament.core.handicaps import Handicaps, kinds_with_value
from tournament.core.systems import system_of
from tournament.models import Tournament
from tournament.pairing.errors import OptionError
from tournament.pairing.options import read_options
from tournament.pairing.separations import By
from tournament.pairing.systems import PAIRING_SYSTEMS, PairingSystem

SEPARATION_DEFAULTS = {
    "by": "",
    "preference": False,
    "players": [],
    "first_round": 1,
    "last_round": 0,
}


def check_system(tournament: Tournament) -> None:
    """Check the system, its options and the separations; add the defaults of the separations.

    Raises Unprocessable.
    """
    if tournament.system not in PAIRING_SYSTEMS:
        raise unknown_key("system", tournament.system, list(PAIRING_SYSTEMS))
    system = system_of(tournament)
    _check_options(system, tournament.system_options)
    if not tournament.balance_seats and not system.can_disable_seat_balance:
        raise Unprocessable(
            "seats_are_fixed",
            Text("%(system)s: the table fixes the seats", system=Text(system.name)),
            at="/balance_seats",
        )
    if tournament.games_per_pairing > 1 and not system.can_pair_two_games:
        detail = Text(
            "%(system)s: a pairing has the games of the option best_of, so set 1",
            system=Text(system.name),
        )
        raise Unprocessable("one_game_per_pairing", detail, at="/games_per_pairing")
    if tournament.separations and not system.can_separate:
        detail = Text(
            "%(system)s: the pairings are fixed, so players cannot be kept apart",
            system=Text(system.name),
        )
        raise Unprocessable("no_separations", detail, at="/separations")
    tournament.separations = [SEPARATION_DEFAULTS | item for item in tournament.separations]
    _check_separations(tournament.separations)


def _check_options(system: PairingSystem, options: Mapping[str, Any]) -> None:
    _, wrong = read_options(system.options, options)
    if not wrong and system.check_options:
        try:
            system.check_options(options)
        except OptionError as error:
            wrong = [error]
    check_all(*(partial(_refuse_option, error) for error in wrong))


def _refuse_option(error: OptionError) -> NoReturn:
    at = f"/system_options/{error.name}"
    raise Unprocessable(
        "system_option", error.detail, at=at, valid=error.valid, **error.limits
    ) from error


def _check_separations(separations: list[dict[str, Any]]) -> None:
    named: set[int] = set()
    for index, item in enumerate(separations):
        path = f"/separations/{index}"
        if item["by"] not in list(By):
            detail = Text("`by` must be one of %(names)s", names=", ".join(By))
            raise Unprocessable("senseless_separation", detail, at=f"{path}/by", valid=list(By))
        if (item["by"] == By.PLAYERS) != bool(item["players"]):
            detail = Text("`players` must be named if, and only if, `by` is `players`")
            raise Unprocessable("senseless_separation", detail, at=f"{path}/players")
        if 0 < item["last_round"] < item["first_round"]:
            detail = Text(
                "last_round %(last)s is before first_round %(first)s",
                last=item["last_round"],
                first=item["first_round"],
            )
            raise Unprocessable("senseless_separation", detail, at=f"{path}/last_round")
        named.update(item["players"])
    known = Player.objects.filter(pk__in=named).values_list("pk", flat=True) if named else ()
    unknown = sorted(named.difference(known))
    if unknown:
        raise Unprocessable("unknown_player", no_player(unknown[0]), at="/separations")


def check_table(tournament: Tournament) -> None:
    """Raise Unprocessable for an unknown table of handicaps."""
    if tournament.handicap_table:
        load_table(tournament.handicap_table)


def check_handicaps(tournament: Tournament) -> None:
    """Raise Unprocessable for kinds of handicaps that have no value."""
    if tournament.handicaps == Handicaps.NONE:
        return
    valid = kinds_with_value(tournament)
    for index, kind in enumerate(tournament.handicap_kinds):
        if kind not in valid:
            listed = ", ".join(valid) or Text("none")
            detail = Text(
                "no table has a value for %(kind)s in these games; valid: %(names)s",
                kind=name_kind(kind),
                names=listed,
            )
            at = f"/handicap_kinds/{index}"
            raise Unprocessable("handicap_kind", detail, at=at, valid=list(valid))
    if tournament.handicaps == Handicaps.RECOMMENDED and not valid:
        detail = Text("no table has values of handicaps for these games; set by_hand")
        raise Unprocessable("no_handicap_table", detail, at="/handicaps")


def lacking_in(game: str) -> dict[str, Text]:
    """Return why no game of a ruleset has a value in a tie-break, by its code."""
    rules = GAMES.get(game)
    if rules is None:
        return {}
    usual = read_conditions({"Game": game, "Board": rules.first_board})
    outcome = rules.start(usual).outcome()
    detail = (outcome.detail or {}).get(Seat.FIRST)
    counted = detail if isinstance(detail, Mapping) else {}
    found = {
        "STARS": Text("games of %(game)s have no stars, so STARS ranks nobody", game=rules.name),
        "QUARKS": Text("games of %(game)s have no quarks, so QUARKS ranks nobody", game=rules.name),
        "MARGIN": Text("games of %(game)s have no score, so MARGIN ranks nobody", game=rules.name),
    }
    has = {"STARS": "stars" in counted, "QUARKS": "quarks" in counted, "MARGIN": outcome.bounds}
    return {code: detail for code, detail in found.items() if not has[code]}
