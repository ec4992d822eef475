"""Two players against each other, supposed results, the ratings of an event."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Literal, NamedTuple, TypeAlias, TypedDict, cast

from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone

from games.core.decimals import (
    expected_score,
    rating_number,
    rating_or_none,
    score_text,
    share_of_change,
)
from games.core.errors import NotFound, Unprocessable, check_all
from games.core.references import PLAYER_COLUMNS, PlayerReference, player_reference
from games.models import Game, Player
from games.players.queries import no_player
from games.rules.text import Text
from ratings.batches.eligibility import FORFEIT_TERMINATIONS, current_values, make_row
from ratings.batches.order import has_months
from ratings.batches.services import players_of
from ratings.core.conditions import is_game_out_of_band, load_tables
from ratings.models import Batch, BatchGame, Change, Pool, Rating
from ratings.runs.changes import SHARE_OF_CHANGE
from ratings.runs.queries import find_juniors, load_current_changes, load_current_states, rate_games
from ratings.systems.band import expected_at_pairing
from ratings.systems.elo import DRAW, MILLI, MILLION, RatedGame, RatingChange
from ratings.systems.explanations import explain_change
from ratings.systems.fide import round_away
from ratings.systems.lists import SCORE_TEXTS, Score
from ratings.systems.performance import perfect_rating
from ratings.systems.presets import find_preset


def find_two_players(player_id: int, opponent_id: int) -> tuple[Player, Player]:
    """Return two players; for a merged one, the player they were merged into.

    Raises NotFound, or Unprocessable if both are the same person.
    """
    numbers = [player_id, opponent_id]
    players = Player.objects.filter(pk__in=numbers).select_related("merged_into")
    found = {player.pk: player.current for player in players}
    for number in numbers:
        if number not in found:
            raise NotFound("not_found", no_player(number))
    player, opponent = (found[number] for number in numbers)
    if player == opponent:
        detail = Text(
            "%(first)s and %(second)s are the same person", first=player_id, second=opponent_id
        )
        raise Unprocessable("same_player", detail)
    return player, opponent


class PoolSums(TypedDict):
    """What the games of two players changed in a pool; sums are rounded once."""

    pool: str
    games: Annotated[int, "rated games"]
    score: Annotated[str, "of the player: an exact decimal, as `2.5`"]
    expected: Annotated[float, "the sum of the expected scores"]
    change: Annotated[float, "the sum of the exact changes"]


class Counts(TypedDict):
    """Confirmed games, without forfeits, and the results of the player."""

    games: int
    wins: int
    draws: int
    losses: int


class HeadToHead(Counts):
    """The results of two players against each other."""

    player: PlayerReference
    opponent: PlayerReference
    pools: list[PoolSums]


def head_to_head_as_json(
    player: Player, opponent: Player, visible_games: "QuerySet[Game]"
) -> HeadToHead:
    """Return the results of two players against each other in these games, as JSON.

    A forfeited game is not counted.
    """
    return {
        "player": player_reference(player),
        "opponent": player_reference(opponent),
        **_count_results(player, opponent, visible_games),
        "pools": _sum_changes(player, opponent, visible_games),
    }


def _count_results(player: Player, opponent: Player, visible_games: "QuerySet[Game]") -> Counts:
    """Return the numbers of games, wins, draws and losses of the player."""
    own, other = (
        Player.objects.filter(Q(pk=person.pk) | Q(merged_into=person)).values("pk")
        for person in (player, opponent)
    )
    as_first, as_second = Q(first__in=own, second__in=other), Q(first__in=other, second__in=own)
    games = visible_games.filter(as_first | as_second, state=Game.State.CONFIRMED).exclude(
        termination__in=FORFEIT_TERMINATIONS
    )
    wins = (as_first & Q(winner="first")) | (as_second & Q(winner="second"))
    losses = (as_first & Q(winner="second")) | (as_second & Q(winner="first"))
    counts = games.order_by().aggregate(
        games=Count("pk", filter=wins | losses | Q(draw=True)),
        wins=Count("pk", filter=wins),
        draws=Count("pk", filter=Q(draw=True)),
        losses=Count("pk", filter=losses),
    )
    return cast("Counts", counts)


def _sum_changes(
    player: Player, opponent: Player, visible_games: "QuerySet[Game]"
) -> list[PoolSums]:
    """Return for each pool the score of the player, the expected score, the changes by them."""
    pools = Rating.objects.filter(player=player).values("pool")
    changes = load_current_changes(pools, [player.pk]).filter(
        opponent=opponent, game__in=visible_games.values("pk")
    )
    sums = changes.values("pool__code").annotate(
        games=Count("game"), points=Sum("score"), expectation=Sum("expected"), total=Sum("share")
    )
    return [
        {
            "pool": row["pool__code"],
            "games": row["games"],
            "score": score_text(row["points"]),
            "expected": expected_score(row["expectation"]),
            "change": share_of_change(int(row["total"])),  # PostgreSQL sums it as a decimal
        }
        for row in sums.order_by("pool__code")
    ]


class SupposedResult(NamedTuple):
    """An opponent's id and the score of the player against them, in millionths."""

    opponent: int
    score: int


class SupposedChange(TypedDict):
    """What a supposed result changes."""

    opponent: PlayerReference
    score: Score
    opponent_before: Annotated[float | None, "null: unrated"]
    expected: float
    k: float
    explanation: Annotated[str, "why K is what it is, in words"]
    change: Annotated[float, SHARE_OF_CHANGE]
    exclusion: Annotated[BatchGame.Exclusion | None, "why it is not rated, and changes nothing"]
    reason: Annotated[str | None, "the same in words; else null"]


class SupposedRating(TypedDict):
    """The rating of a player after supposed results."""

    pool: str
    player: PlayerReference
    before: Annotated[float | None, "the rating now; null: unrated, in FIDE's system"]
    after: Annotated[float | None, "the rating after the results; null: unrated"]
    change: Annotated[float | None, "null if either is null"]
    rows: list[SupposedChange]


def suppose_results(
    pool: Pool, player_id: int, results: Sequence[SupposedResult], people: Mapping[int, Player]
) -> SupposedRating:
    """Return the rating of a player after these results, with the computation.

    The results are rated as one batch, or in FIDE's system as one month, after everything that is
    rated so far. A player without a rating in the pool starts as in the pool, from their seed or
    the start of the system. A game that the pool would leave out, because its result is almost
    certain, changes nothing. `people` are those of `load_players`.
    """
    system = find_preset(pool.preset, pool.parameters)
    opponents = [people[result.opponent] for result in results]
    states = load_current_states(
        pool, system, {player_id: people[player_id]} | {p.pk: p for p in opponents}
    )

    own = before = after = states[player_id].rating
    excluded = [is_game_out_of_band(pool, own, states[p.pk].rating, 0) for p in opponents]
    games = [
        RatedGame(player_id, opponent.pk, result.score)
        for opponent, result, is_excluded in zip(opponents, results, excluded, strict=True)
        if not is_excluded
    ]
    juniors = find_juniors(people.values(), timezone.now().year)
    found = rate_games(states, games, system, juniors)
    changes = [change for change in found if change.player == player_id]
    if changes:
        before, after = changes[0].before, changes[0].after
    of_rated = iter(changes)
    return {
        "pool": pool.code,
        "player": player_reference(people[player_id]),
        "before": rating_or_none(before),
        "after": rating_or_none(after),
        "change": rating_number(after - before) if before and after else None,
        "rows": [
            _left_out(pool, own, states[opponent.pk].rating, opponent, result)
            if is_excluded
            else _supposed_change(pool, next(of_rated), opponent)
            for opponent, result, is_excluded in zip(opponents, results, excluded, strict=True)
        ],
    }


def _supposed_change(pool: Pool, change: RatingChange[int], opponent: Player) -> SupposedChange:
    return {
        "opponent": player_reference(opponent),
        "score": SCORE_TEXTS[change.score],
        "opponent_before": rating_or_none(change.opponent_before),
        "expected": expected_score(change.expected),
        "k": rating_number(change.k),
        "explanation": explain_change(pool.preset, change.before, change.opponent_before, change.k),
        "change": share_of_change(change.share),
        "exclusion": None,
        "reason": None,
    }


def _left_out(
    pool: Pool, own: int, other: int, opponent: Player, result: SupposedResult
) -> SupposedChange:
    """Return the row of a result that the pool would not rate."""
    expected = expected_at_pairing(own, other, 0, find_preset(pool.preset, pool.parameters))
    exclusion = BatchGame.Exclusion.OUT_OF_BAND
    return {
        "opponent": player_reference(opponent),
        "score": SCORE_TEXTS[result.score],
        "opponent_before": rating_or_none(other),
        "expected": expected_score(expected),
        "k": rating_number(0),
        "explanation": exclusion.reason,
        "change": share_of_change(0),
        "exclusion": exclusion,
        "reason": exclusion.reason,
    }


def load_players(player_id: int, results: Sequence[SupposedResult]) -> dict[int, Player]:
    """Return the players by the ids in the request; for a merged one, who they were merged into.

    Raises Unprocessable for each opponent who does not exist or is the player.
    """
    numbers = {player_id, *(result.opponent for result in results)}
    rows = Player.objects.filter(pk__in=numbers).select_related("merged_into")
    people = {player.pk: player.current for player in rows}
    check_all(
        *(
            partial(_require_opponent, index, result.opponent, player_id, people)
            for index, result in enumerate(results)
        )
    )
    return people


def _require_opponent(
    index: int, number: int, player_id: int, people: Mapping[int, Player]
) -> None:
    place = f"/results/{index}/opponent_id"
    if number not in people:
        raise Unprocessable("unknown_player", no_player(number), at=place)
    if people[number].pk == player_id:
        detail = Text("%(number)s is the player; name the opponents", number=number)
        raise Unprocessable("same_player", detail, at=place)


class EventChange(NamedTuple):
    """What a game of the event changed for a player; the fields are those of a `RatingChange`."""

    player: int
    opponent_before: int
    handicap_part: int
    expected: int
    score: int
    before: int
    after: int
    share: int


Changes: TypeAlias = Sequence[EventChange | RatingChange[int]]


class PlayerPerformance(TypedDict):
    """The performance of a player in the rated games of an event, and what they change."""

    player: PlayerReference
    games: Annotated[int, "rated games"]
    score: Annotated[str, "an exact decimal, as `2.5`"]
    expected: Annotated[float, "the sum of the expected scores"]
    performance: Annotated[
        int | None,
        "the lowest rating that expects at least the score, by FIDE's table (C.07 10.3), with a"
        " handicap as rating points of the opponent; null without a rated opponent",
    ]
    before: Annotated[float | None, "null: unrated"]
    change: Annotated[float, "by the games of the tournament"]
    month_change: Annotated[
        float | None,
        "by all games of the month, which FIDE's system rates together; null in other systems,"
        " before the tournament is rated, and if the player is unrated before or after the month",
    ]
    after: Annotated[float | None, "null: unrated, as below 1400 in FIDE's system"]


class Performances(TypedDict):
    """The ratings of an event, the best performance first."""

    pool: str | None
    state: Annotated[
        Literal["rated", "expected", "unrated"],
        "`expected`: what the results so far would change now; `unrated`: no rating is requested",
    ]
    rows: list[PlayerPerformance]


def event_ratings_as_json(pool: Pool | None, stream: str, games: "QuerySet[Game]") -> Performances:
    """Return the ratings of these games of an event, the best performance first.

    `state` is `rated`, `expected` before the event is rated, `unrated` without a pool. Expected
    changes are those that the results so far would give now. Only rated games count. FIDE's system
    rates a month at once: `change` is by the games of the event, `month_change` by all of the month
    of the event, which lead to `after`.
    """
    if pool is None:
        return {"pool": None, "state": "unrated", "rows": []}
    batch = pool.batches.filter(stream=stream).first()
    is_rated = batch is not None and batch.is_rated and batch.state == Batch.State.FILED
    if batch is not None and is_rated:
        changes = Change.objects.filter(
            run=batch.run_id, batch=batch, game__in=games.values("pk")
        ).order_by("game", "seat")
        found: Changes = [EventChange(*row) for row in changes.values_list(*EventChange._fields)]
    else:
        found = _expect_changes(pool, stream, games)
    by_player: dict[int, list[EventChange | RatingChange[int]]] = defaultdict(list)
    for change in found:
        by_player[change.player].append(change)
    people = Player.objects.only(*PLAYER_COLUMNS).in_bulk(by_player)
    rows = [
        _performance_of(people[number], own, has_months=has_months(pool), is_rated=is_rated)
        for number, own in by_player.items()
    ]
    return {
        "pool": pool.code,
        "state": "rated" if is_rated else "expected",
        "rows": sorted(rows, key=_by_performance, reverse=True),
    }


def _expect_changes(pool: Pool, stream: str, games: "QuerySet[Game]") -> Changes:
    """Return the changes by the games that would be rated if the event were final now."""
    batch = Batch(pool=pool, stream=stream, state=Batch.State.FILED, approved=True)
    tables = load_tables()
    current = list(games.annotate(**current_values()).order_by("pk"))
    system = find_preset(pool.preset, pool.parameters)
    people = Player.objects.in_bulk(players_of(current))
    states = load_current_states(pool, system, people)
    ratings = {player: state.rating for player, state in states.items()}
    filed = (make_row(batch, game, tables, ratings) for game in current)
    rows = [row for row in filed if not row.exclusion]
    rated = [
        RatedGame(row.first_id, row.second_id, row.score, row.handicap_part or 0) for row in rows
    ]
    return rate_games(states, rated, system, find_juniors(people.values(), timezone.now().year))


def _performance_of(
    player: Player, changes: Changes, *, has_months: bool, is_rated: bool
) -> PlayerPerformance:
    """Return the row of a player; in FIDE's system, the event is a part of what a month changed."""
    score = sum(change.score for change in changes)
    before, after = changes[0].before, changes[0].after
    total = after - before
    own = round_away(sum(change.share for change in changes), MILLION) if has_months else total
    return {
        "player": player_reference(player),
        "games": len(changes),
        "score": score_text(score),
        "expected": expected_score(sum(change.expected for change in changes)),
        "performance": _performance(changes),
        "before": rating_or_none(before),
        "change": rating_number(own),
        # Zero is no rating: a month that begins or ends without one has no change.
        "month_change": rating_number(total)
        if has_months and is_rated and before and after
        else None,
        "after": rating_or_none(after),
    }


def _performance(changes: Changes) -> int | None:
    """Return the rating performance against rated opponents; a handicap counts as rating points."""
    rated = [change for change in changes if change.opponent_before]
    opponents = [round((change.opponent_before - change.handicap_part) / MILLI) for change in rated]
    half_points = sum(change.score for change in rated) // DRAW
    return perfect_rating(opponents, half_points) if rated else None


def _by_performance(row: PlayerPerformance) -> tuple[bool, int, int]:
    performance = row["performance"]
    return performance is not None, performance or 0, -row["player"]["id"]
