"""Give the pairs of a round their handicaps, and check one that is set by hand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.core.errors import Unprocessable
from games.rules.errors import BadConditions
from games.rules.records.handicaps import is_bound_to_seat, require_overcomable, with_handicap
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.systems.band import expected_at_pairing
from ratings.systems.elo import MILLI
from ratings.systems.handicap import has_table
from ratings.systems.presets import find_preset
from ratings.systems.recommendation import Catalogue
from tournament.core.handicaps import Handicaps, load_catalogue
from tournament.core.queries import event_conditions
from tournament.core.systems import system_of
from tournament.models import Tournament
from tournament.pairing.request import Pair, PairingRequest
from tournament.standings.crosstable import PlayerId


@dataclass(frozen=True, slots=True)
class GivenHandicap:
    """A pair in its seats, the handicap applied to it, and what is recommended, as stored."""

    pair: Pair
    handicap: str = ""
    recommended: dict[str, Any] | None = None


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
