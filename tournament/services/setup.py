"""Making a tournament and changing its set-up, while that is still open."""

import secrets
from datetime import date
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from games.http.errors import Conflict, Unprocessable, unknown_key
from games.journal.lines import append_line
from games.models import Account, Game, Role
from games.rules import GAMES
from games.rules.errors import RecordError
from games.rules.records.record import Record
from ratings.models import Pool
from tournament import queries
from tournament.models import Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.services.locking import lock_tournament, require_state
from tournament.services.systems import check_system
from tournament.standings.errors import PointSystemError, PrizeError, TiebreakError
from tournament.standings.prizes import parse_groups
from tournament.standings.tiebreaks import parse_codes

State = Tournament.State
OPEN_STATES = (State.DRAFT, State.REGISTRATION)
time_zones = cache(available_timezones)
MOST_ROUNDS = 99
LONGEST_SLUG = 80
RESERVED = frozenset({"import"})
DEFAULT_TIEBREAKS = ["PTS", "BH/C1", "BH", "SB"]
ROUND_ROBIN_TIEBREAKS = ["PTS", "DE", "SB", "WIN"]
MCMAHON_TIEBREAKS = ["MMS", "PTS", "BH", "SB"]
FROZEN = frozenset(
    {"game", "board", "options", "swap", "rated", "pool", "system", "rounds", "points",
     "tiebreaks", "initial_seat", "half_byes", "system_options", "balance_seats"}
)  # fmt: skip


def _refusal(field: str, code: str, detail: str, **extra: Any) -> Unprocessable:
    return Unprocessable(
        code, detail, [{"pointer": f"/{field}", "code": code, "detail": detail}], **extra
    )


def _check(tournament: Tournament) -> None:
    """Raise Unprocessable for keys that no dict knows and for senseless points."""
    if tournament.game not in GAMES:
        raise unknown_key("game", tournament.game, list(GAMES))
    if GAMES[tournament.game].players != 2:
        detail = f"{GAMES[tournament.game].name} is a solitaire; an event needs a game for two"
        for_two = [code for code, rules in GAMES.items() if rules.players == 2]
        raise _refusal("game", "solitaire", detail, valid=for_two)
    check_system(tournament)
    if tournament.pool:
        pools = list(Pool.objects.order_by("code").values_list("code", flat=True))
        if tournament.pool not in pools:
            raise unknown_key("pool", tournament.pool, pools)
    if tournament.time_zone not in time_zones():
        raise _refusal(
            "time_zone",
            "unknown_time_zone",
            f"{tournament.time_zone[:40]!r} is no time zone of the tz database, as Europe/Lisbon",
        )
    if tournament.ends_on < tournament.starts_on:
        raise _refusal("ends_on", "dates", "the event ends before it starts")
    _check_conditions(tournament)
    _check_prizes(tournament)
    try:
        queries.point_system(tournament)
    except (PointSystemError, ValueError, ZeroDivisionError) as error:
        detail = f"the points cannot be: {error}"
        raise _refusal("points", "senseless_points", detail) from error
    try:
        parse_codes(tournament.tiebreaks, round_robin=tournament.system in queries.ROUND_ROBINS)
    except TiebreakError as error:
        raise _refusal(
            "tiebreaks", "unknown_tiebreak", str(error), valid=list(error.valid)
        ) from error


def _check_prizes(tournament: Tournament) -> None:
    try:
        parse_groups(tournament.prizes)
    except PrizeError as error:
        pointer = f"prizes/{error.pointer}".rstrip("/")
        raise _refusal(pointer, "senseless_prizes", error.detail) from error


def _check_conditions(tournament: Tournament) -> None:
    """Let the rules say whether the game can be played on this board with these options."""
    rules = GAMES[tournament.game]
    conditions = {
        "game": tournament.game,
        "board": tournament.board,
        "options": tournament.options,
        "swap": tournament.swap,
        "moves": [],
    }
    try:
        terms = Record.from_json(conditions).conditions
    except RecordError as error:
        if error.code == "unknown_board":
            detail = (
                f"{tournament.board[:20]!r} is no board of {rules.name}; valid: {rules.board_form}"
            )
            raise _refusal("board", "unknown_board", detail, valid=list(rules.boards)) from error
        field = "options" if tournament.options else "swap"
        raise _refusal(field, error.code, error.detail) from error
    tournament.board, tournament.options = terms.board, list(terms.options)


def default_tiebreaks(code: str) -> list[str]:
    """The tie-breaks of an event that names none."""
    system = PAIRING_SYSTEMS.get(code)
    if system and system.is_round_robin:
        return ROUND_ROBIN_TIEBREAKS
    return MCMAHON_TIEBREAKS if system and system.starting_scores else DEFAULT_TIEBREAKS


def create_tournament(*, by: Account, slug: str = "", **fields: Any) -> Tournament:
    """A new tournament in draft, owned by the account that made it.

    Raises Unprocessable for unknown keys (with the valid ones) and senseless points, Conflict
    when the slug is taken.
    """
    if fields.get("game") in GAMES:
        fields.setdefault("swap", GAMES[fields["game"]].swaps)
    fields.setdefault("tiebreaks", default_tiebreaks(fields.get("system", "")))
    name = slug or slugify(fields["name"])[:LONGEST_SLUG].rstrip("-_")
    if not name or name in RESERVED:
        told = f"{name!r} is an address of its own" if name else "no slug follows from this name"
        raise Unprocessable("slug_needed", f"{told}; send another one")
    tournament = Tournament(slug=name, created_by=by, draw_seed=secrets.token_hex(16), **fields)
    _check(tournament)
    try:
        with transaction.atomic():
            tournament.save()
            Role.objects.create(stream=tournament.stream, account=by, role=Role.Name.OWNER)
            append_line(tournament.stream, "tournament.created", setup_payload(tournament), by=by)
    except IntegrityError as error:
        if not Tournament.objects.filter(slug=name).exists():
            raise
        raise Conflict("slug_taken", f"there is a tournament {name!r} already") from error
    return tournament


def edit_tournament(tournament: Tournament, changes: dict[str, Any], *, by: Account) -> Tournament:
    """Change the set-up; what pairing and standings rest on is frozen once the event runs."""
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_state(tournament, *OPEN_STATES, State.RUNNING, State.REVIEW)
        changed = {name for name, new in changes.items() if getattr(tournament, name) != new}
        frozen = sorted(changed & FROZEN)
        if frozen and tournament.state not in OPEN_STATES:
            raise Conflict("set_up_frozen", f"the event runs; {', '.join(frozen)} cannot change")
        for name in changed:
            setattr(tournament, name, changes[name])
        _check(tournament)
        tournament.save()
        if "public" in changed:
            Game.objects.filter(stream=tournament.stream).update(public=tournament.public)
        if changed:
            told = {
                name: value for name, value in setup_payload(tournament).items() if name in changed
            }
            append_line(tournament.stream, "tournament.edited", told, by=by)
    return tournament


def setup_payload(tournament: Tournament) -> dict[str, Any]:
    """What the journal tells of the set-up."""
    names = (
        "name", "place", "country", "starts_on", "ends_on", "time_zone", "arbiter",
        "time_control", "public", "game", "board", "options", "swap", "rated", "pool",
        "confirm_hours", "system", "rounds", "points", "tiebreaks", "initial_seat", "half_byes",
        "prizes", "system_options", "separations", "balance_seats",
    )  # fmt: skip
    values = {name: getattr(tournament, name) for name in names}
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in values.items()
    }
