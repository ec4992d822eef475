"""The handicaps of an event: its settings, and what is recommended and applied in a round."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any

from games.core.errors import Unprocessable
from games.rules.errors import BadConditions
from games.rules.records.handicaps import is_bound_to_seat, require_overcomable, with_handicap
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.core.conditions import list_versions, load_table
from ratings.models import Pool
from ratings.systems.band import expected_at_pairing
from ratings.systems.elo import MILLI
from ratings.systems.handicap import has_table, values_of
from ratings.systems.presets import find_preset
from ratings.systems.recommendation import Catalogue, CatalogueKind, name_kind, rated_kinds
from tournament.core.queries import event_conditions
from tournament.core.systems import system_of
from tournament.models import Tournament
from tournament.pairing.request import Pair, PairingRequest
from tournament.standings.crosstable import PlayerId

Handicaps = Tournament.Handicaps

RECOMMENDED: dict[str, type | UnionType] = {
    "entry": int, "handicap": str | None, "rating": int, "opponent_rating": int, "basis": str,
    "value": int, "table": str, "share": int, "expected": int, "most": bool,
}  # fmt: skip
"""What a pairing stores about its recommended handicap: the members and their types."""


@dataclass(frozen=True, slots=True)
class GivenHandicap:
    """A pair in its seats, the handicap applied to it, and what is recommended, as stored."""

    pair: Pair
    handicap: str = ""
    recommended: dict[str, Any] | None = None


def check_table(tournament: Tournament) -> None:
    """Raise Unprocessable for an unknown table of handicaps."""
    if tournament.handicap_table:
        load_table(tournament.handicap_table)


def check_handicaps(tournament: Tournament) -> None:
    """Raise Unprocessable for kinds of handicaps that have no value."""
    if tournament.handicaps == Handicaps.NONE:
        return
    valid = _kinds_with_value(tournament)
    for index, kind in enumerate(tournament.handicap_kinds):
        if kind not in valid:
            listed = ", ".join(valid) or "none"
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


def check_applied(tournament: Tournament, handicap: str, *, at: str = "") -> None:
    """Raise Unprocessable for a handicap that the event's games cannot have."""
    if not handicap:
        return
    if tournament.handicaps == Handicaps.NONE:
        detail = Text("the event has no handicaps: its `handicaps` are none, which the start fixes")
        raise Unprocessable("no_handicaps", detail, at=at)
    if tournament.games_per_pairing == 2 and is_bound_to_seat(handicap):
        detail = Text(
            "%(handicap)s: seats are exchanged in the return game, so give points",
            handicap=handicap[:40],
        )
        raise Unprocessable("handicap_conflict", detail, at=at)
    try:
        conditions = with_handicap(event_conditions(tournament), handicap)
        require_overcomable(conditions)
    except BadConditions as error:
        raise Unprocessable(error.code, error.detail, at=at) from error
    is_rated = tournament.rated and tournament.pool
    if is_rated and not has_table(tournament.game, tournament.board, conditions.handicap):
        detail = Text(
            "no table has a value for %(handicap)s, so the game could not be rated",
            handicap=handicap,
        )
        raise Unprocessable("handicap_unrated", detail, at=at)


def is_recommended(value: Any) -> bool:
    """Return True if a value from another installation has the form of `recommended`."""
    if not isinstance(value, dict) or value.keys() != RECOMMENDED.keys():
        return False
    return all(isinstance(value[name], kinds) for name, kinds in RECOMMENDED.items())


def seats_follow_handicaps(tournament: Tournament) -> bool:
    """Return True if recommended handicaps decide who sits first, and preferences do not."""
    kinds = _recommended_kinds(tournament)
    is_applied = tournament.handicaps == Handicaps.RECOMMENDED
    return is_applied and set(kinds) != {CatalogueKind.POINTS}


def load_catalogue(tournament: Tournament) -> Catalogue | None:
    """Return the handicaps that the event recommends; None if it recommends none."""
    kinds = _recommended_kinds(tournament)
    if not kinds:
        return None
    version = table_version(tournament)
    return Catalogue(
        game=tournament.game,
        board=tournament.board,
        swap=tournament.swap,
        kinds=kinds,
        share=tournament.handicap_share,
        cap=tournament.handicap_cap,
        version=version,
        values=values_of(load_table(version), tournament.game, tournament.board),
    )


def give_handicaps(
    tournament: Tournament,
    request: PairingRequest,
    pairs: Iterable[Pair],
    entries: Mapping[PlayerId, int],
) -> list[GivenHandicap]:
    """Return the pairs with the handicaps of the event, in the seats that these need.

    A pair with a player whose rating is unknown has no recommended handicap.
    """
    catalogue = load_catalogue(tournament)
    if catalogue is None:
        return [GivenHandicap(pair) for pair in pairs]
    handicap_ratings = system_of(tournament).handicap_ratings
    if handicap_ratings:
        basis, ratings = "scores", handicap_ratings(request)
    else:
        rated = (player for player in request.crosstable.players if player.rating)
        basis, ratings = "ratings", {player.number: player.rating for player in rated}
    is_applied = tournament.handicaps == Handicaps.RECOMMENDED
    return [
        _give_handicap(catalogue, pair, ratings, basis, entries, is_applied=is_applied)
        for pair in pairs
    ]


def _give_handicap(
    catalogue: Catalogue,
    pair: Pair,
    ratings: Mapping[PlayerId, int],
    basis: str,
    entries: Mapping[PlayerId, int],
    *,
    is_applied: bool,
) -> GivenHandicap:
    first, second = pair
    if first not in ratings or second not in ratings:
        return GivenHandicap(pair)
    seat = Seat.FIRST if ratings[first] < ratings[second] else Seat.SECOND
    weaker, stronger = pair if seat is Seat.FIRST else pair[::-1]
    difference = ratings[stronger] - ratings[weaker]
    found = catalogue.recommend(difference, seat)
    expected = expected_at_pairing(
        ratings[weaker] * MILLI, ratings[stronger] * MILLI, found.value, find_preset("decay")
    )
    recommended = {
        "entry": entries[weaker],
        "handicap": found.handicap or None,
        "rating": ratings[weaker],
        "opponent_rating": ratings[stronger],
        "basis": basis,
        "value": found.value // MILLI,
        "table": catalogue.version,
        "share": catalogue.share,
        "expected": expected,
        "most": found.is_most,
    }
    if not is_applied:
        return GivenHandicap(pair, recommended=recommended)
    seats = (weaker, stronger) if found.seat is Seat.FIRST else (stronger, weaker)
    return GivenHandicap(seats, found.handicap, recommended)


def _recommended_kinds(tournament: Tournament) -> tuple[CatalogueKind, ...]:
    """Return the kinds that the event recommends; none if it has no handicaps."""
    if tournament.handicaps == Handicaps.NONE:
        return ()
    chosen = tuple(map(CatalogueKind, tournament.handicap_kinds))
    return chosen or _kinds_with_value(tournament)


def _kinds_with_value(tournament: Tournament) -> tuple[CatalogueKind, ...]:
    """Return the kinds that can be recommended; those that decide the seats not for two games."""
    kinds = rated_kinds(tournament.game, tournament.board, swap=tournament.swap)
    if tournament.games_per_pairing == 2:
        return tuple(kind for kind in kinds if kind is CatalogueKind.POINTS)
    return kinds


def table_version(tournament: Tournament) -> str:
    """Return the version of the handicap table: the event's, that of its pool, or the latest."""
    if tournament.handicap_table:
        return tournament.handicap_table
    pool = Pool.objects.filter(code=tournament.pool).first() if tournament.pool else None
    return pool.handicap_table if pool else list_versions()[-1]
