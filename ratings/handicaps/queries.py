"""The handicap that the table of a pool recommends for two of its players."""

from functools import partial
from math import hypot
from typing import Annotated, TypedDict

from games.core.decimals import expected_score
from games.core.errors import (
    NotFound,
    Unprocessable,
    check_all,
    invalid_parameter,
    named_member,
    unknown_value,
)
from games.core.handicaps import HANDICAP_TEXT, Handicap, handicap_as_json, handicap_in_words
from games.core.references import PlayerReference, player_reference
from games.models import Player
from games.rules.registry import GAMES, TWO_PLAYER_GAMES
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.core.conditions import load_table
from ratings.lists.queries import find_histories, load_published_ratings
from ratings.models import Pool
from ratings.runs.changes import find_rated_player
from ratings.systems.band import expected_at_pairing
from ratings.systems.elo import MILLI
from ratings.systems.handicap import values_of
from ratings.systems.intervals import PROVISIONAL_BELOW, QUANTILE, deviation_of
from ratings.systems.presets import find_preset
from ratings.systems.recommendation import Catalogue, CatalogueKind, name_kind, rated_kinds


def require_board(ruleset: str | None, board_size: str | None) -> None:
    """Raise Unprocessable for an unknown ruleset, or a board that it does not have."""
    if ruleset is None:
        return
    if ruleset not in GAMES:
        raise unknown_value("ruleset", ruleset, TWO_PLAYER_GAMES)
    rules = GAMES[ruleset]
    if board_size is not None and rules.find_board(board_size) is None:
        detail = Text(
            "%(field)s is %(value)s; valid are: %(names)s",
            field=named_member("board_size"),
            value=f"{board_size[:60]!r}",
            names=Text(rules.board_form),
        )
        raise invalid_parameter("board_size", detail, rules.boards)


def make_catalogue(
    pool: Pool,
    *,
    ruleset: str,
    board_size: str,
    swap: bool,
    kind: str = "",
    share: int = 100,
    cap: int | None = None,
) -> Catalogue:
    """Return the handicaps of this kind, or of all, that have a value in these games.

    Raises Unprocessable for unknown keys, and if there is none.
    """
    require_board(ruleset, board_size)
    valid = rated_kinds(ruleset, board_size, swap=swap)
    if kind and kind not in valid:
        detail = Text("no table has a value for %(kind)s in these games", kind=name_kind(kind))
        raise invalid_parameter("kind", detail, valid)
    if not valid:
        detail = Text("no table has values of handicaps for these games")
        raise Unprocessable("no_handicap_table", detail)
    return Catalogue(
        game=ruleset,
        board=board_size,
        swap=swap,
        kinds=(CatalogueKind(kind),) if kind else valid,
        share=share,
        cap=cap,
        version=pool.handicap_table,
        values=values_of(load_table(pool.handicap_table), ruleset, board_size),
    )


def _named_player(name: str, number: int) -> Player:
    """Return the player that a parameter names; raise Unprocessable."""
    try:
        return find_rated_player(number)
    except NotFound as error:
        raise invalid_parameter(name, error.detail) from None


class Uncertainty(TypedDict):
    """How far the difference of the ratings is known, and what it calls for at its ends."""

    difference: Annotated[int, "of the ratings, in points"]
    low: Annotated[int, "of the interval of 95 % of the difference, from those of both ratings"]
    high: int
    low_handicap: Annotated[Handicap | None, "the handicap for `low`"]
    low_handicap_text: Annotated[str | None, HANDICAP_TEXT]
    high_handicap: Annotated[Handicap | None, "the handicap for `high`"]
    high_handicap_text: Annotated[str | None, HANDICAP_TEXT]
    provisional: Annotated[bool, "a player has fewer than ten games"]


class HandicapRecommendation(TypedDict):
    """The handicap for two players by their ratings."""

    pool: str
    table: Annotated[str, "version of the values of handicaps"]
    player: Annotated[PlayerReference, "the weaker one, who has the handicap"]
    opponent: PlayerReference
    handicap: Handicap | None
    handicap_text: Annotated[str | None, HANDICAP_TEXT]
    value: Annotated[int, "of the handicap to this player, in rating points"]
    expected: Annotated[float, "of this player with it"]
    limited: Annotated[bool, "true if the difference calls for more than can be given"]
    reason: str
    uncertainty: Uncertainty


def recommend_handicap(
    pool: Pool, first: int, second: int, catalogue: Catalogue
) -> HandicapRecommendation:
    """Return the JSON of the recommended handicap, with its reason and uncertainty.

    Raises Unprocessable for an unknown player, the same one twice, or one without a rating.
    """
    found_players: list[Player] = check_all(
        partial(_named_player, "first_player_id", first),
        partial(_named_player, "second_player_id", second),
    )
    named = {player.pk: player_reference(player) for player in found_players}
    players = dict(zip(("first", "second"), [player.pk for player in found_players], strict=True))
    if players["first"] == players["second"]:
        raise Unprocessable("same_player", Text("first and second are the same person"))
    ratings = load_published_ratings(pool.code, list(players.values()))
    for name, player in players.items():
        if player not in ratings:
            detail = Text(
                "player %(number)s has no rating in %(pool)s", number=player, pool=pool.code
            )
            raise invalid_parameter(f"{name}_player_id", detail)
    # Of equal players, the second has the handicap.
    is_first = ratings[players["first"]].rating < ratings[players["second"]].rating
    seat = Seat.FIRST if is_first else Seat.SECOND
    weaker, stronger = players[seat.value], players[seat.other.value]
    own, other = ratings[weaker], ratings[stronger]

    system = find_preset(pool.preset, pool.parameters)
    difference = (other.rating - own.rating + MILLI // 2) // MILLI
    histories = find_histories(pool, [weaker, stronger])
    error = hypot(
        *(
            deviation_of(system, *side, pool.spread, start=history.start, sizes=history.sizes)
            for side, history in zip((own, other), histories, strict=True)
        )
    )
    margin = round(QUANTILE * error / MILLI)
    low, high = difference - margin, difference + margin
    found, least, most = (
        catalogue.recommend(max(points, 0), seat) for points in (difference, low, high)
    )
    expected = expected_at_pairing(own.rating, other.rating, found.value, system)
    return {
        "pool": pool.code,
        "table": catalogue.version,
        "player": named[weaker],
        "opponent": named[stronger],
        "handicap": handicap_as_json(found.handicap),
        "handicap_text": handicap_in_words(found.handicap),
        "value": found.value // MILLI,
        "expected": expected_score(expected),
        "limited": found.is_most,
        "reason": catalogue.explain(found, difference, expected),
        "uncertainty": {
            "difference": difference,
            "low": low,
            "high": high,
            "low_handicap": handicap_as_json(least.handicap),
            "low_handicap_text": handicap_in_words(least.handicap),
            "high_handicap": handicap_as_json(most.handicap),
            "high_handicap_text": handicap_in_words(most.handicap),
            "provisional": min(own.games, other.games) < PROVISIONAL_BELOW,
        },
    }
