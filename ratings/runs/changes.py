"""The changes of ratings with their computation: of a player, of a run, of a game in each pool."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime
from typing import Annotated, Any, Literal, TypedDict

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from games.core.decimals import expected_score, rating_number, rating_or_none, share_of_change
from games.core.errors import NotFound, require_found
from games.core.references import (
    PlayerReference,
    TournamentReference,
    absolute_url,
    page_url,
    player_columns,
    player_of,
)
from games.models import Game, Player
from games.play.queries import place_as_json
from games.players.queries import no_player
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.batches.eligibility import EXCLUDED_STATES
from ratings.batches.order import has_months, period_number
from ratings.models import IN_CURRENT_RUN, BatchGame, Change, Pool, Rating, Run
from ratings.runs.queries import History, load_current_changes, shown_interval
from ratings.systems.band import expected_at_pairing
from ratings.systems.charts import ChartLanguage
from ratings.systems.elo import MILLION
from ratings.systems.explanations import explain_change
from ratings.systems.intervals import sizes_of
from ratings.systems.lists import SCORE_TEXTS, Score
from ratings.systems.presets import find_preset
from ratings.systems.rating_chart import RatingPoint, draw_ratings

CHANGE_FIELDS = (
    "batch_id", "pool__code", "run__number", "game_id", "game__stream", "game__event",
    "game__round", "game__place", "game__played_on", "seat",
    "before", "opponent_before", "handicap_part", "expected", "k", "score", "share", "after",
    "batch__effective_at", "batch__order_key", "pool__preset",
    "pool__parameters", "pool__least_expected", "game__first_rating", "game__second_rating",
    *player_columns("player"), *player_columns("opponent"),
)  # fmt: skip

SHARE_OF_CHANGE = "by this game, (score - expected) × K; the exact ones are added, then rounded"


class ChangingGame(TypedDict):
    """The game that changed a rating."""

    id: int
    url: str
    page_url: str
    tournament: Annotated[TournamentReference | None, "null for a casual game"]
    round: int | None
    board: int | None
    played_on: date | None


class Band(TypedDict):
    """The expected score at the pairing, and the limits of the pool in which games are rated."""

    expected_at_pairing: Annotated[float | None, "by the ratings then; null if a player had none"]
    least: Annotated[float, "the limit of the pool now"]
    most: float


class RatingChange(TypedDict):
    """What a game changed for a player, with the numbers of the computation."""

    player: PlayerReference
    pool: str
    run_number: int
    game: ChangingGame
    effective_at: datetime
    seat: Annotated[Seat, "of the player"]
    opponent: PlayerReference
    score: Score
    before: Annotated[float | None, "before the batch; null: unrated"]
    opponent_before: Annotated[float | None, "null: unrated"]
    handicap_part: Annotated[float, "the value of the conditions, in points"]
    expected: float
    k: float
    band: Band
    explanation: Annotated[str, "why K is what it is, in words"]
    change: Annotated[float, SHARE_OF_CHANGE]
    after: Annotated[float | None, "after the batch; null: unrated, as below 1400 in FIDE's system"]


class GameRating(TypedDict):
    """The state of a game in a pool."""

    pool: str
    state: Literal["pending", "rated", "excluded"]
    exclusion: BatchGame.Exclusion | None
    reason: Annotated[str | None, "why it is not rated, in words; else null"]
    changes: list[RatingChange]


NEWEST_FIRST = ("-batch__effective_at", "-batch__order_key", "-batch_id", "-game_id")
"""The order of the current changes of a player."""


def find_rated_player(player_id: int) -> Player:
    """Return who is rated under this id: for a merged player, the one they were merged into.

    Raises NotFound.
    """
    players = Player.objects.select_related("merged_into").filter(pk=player_id)
    return require_found(players.first(), no_player(player_id)).current


def player_changes(player_id: int, visible_games: "QuerySet[Game]") -> "QuerySet[Change]":
    """Return the current changes of a player by these games.

    The changes by other games are left out completely: with K and the expected score, anybody
    could compute the rating of the opponent, and find them by it.
    """
    pools = Rating.objects.filter(player_id=player_id).values("pool")
    changes = load_current_changes(pools, [player_id])
    return changes.filter(game__in=visible_games.values("pk"))


def run_changes(run: Run, visible_games: "QuerySet[Game]") -> "QuerySet[Change]":
    """Return the changes that a run computed by these games, replaced since or not."""
    return Change.objects.filter(run=run, game__in=visible_games.values("pk"))


def change_as_json(row: dict[str, Any]) -> RatingChange:
    """Return the JSON of a row of `CHANGE_FIELDS`."""
    game = row["game_id"]
    place = place_as_json(row, "game__")
    return {
        "player": player_of(row, "player"),
        "pool": row["pool__code"],
        "run_number": row["run__number"],
        "game": {
            "id": game,
            "url": absolute_url(f"games/{game}"),
            "page_url": page_url(f"games/{game}"),
            "tournament": place["tournament"],
            "round": place["round"],
            "board": place["board"],
            "played_on": row["game__played_on"],
        },
        "effective_at": row["batch__effective_at"],
        "seat": row["seat"],
        "opponent": player_of(row, "opponent"),
        "score": SCORE_TEXTS[row["score"]],
        "before": rating_or_none(row["before"]),
        "opponent_before": rating_or_none(row["opponent_before"]),
        "handicap_part": rating_number(row["handicap_part"]),
        "expected": expected_score(row["expected"]),
        "k": rating_number(row["k"]),
        "band": _band_as_json(row),
        "explanation": explain_change(
            row["pool__preset"], row["before"], row["opponent_before"], row["k"]
        ),
        "change": share_of_change(row["share"]),
        "after": rating_or_none(row["after"]),
    }


def _band_as_json(row: dict[str, Any]) -> Band:
    """Return the expected score at pairing and the band of the pool in which games are rated."""
    expected = None
    if row["game__first_rating"] and row["game__second_rating"]:
        own, other = (row["game__first_rating"], row["game__second_rating"])
        if row["seat"] == Seat.SECOND:
            own, other = other, own
        system = find_preset(row["pool__preset"], row["pool__parameters"])
        expected = expected_at_pairing(own, other, row["handicap_part"], system)
    least = row["pool__least_expected"] * MILLION // 100
    return {
        "expected_at_pairing": None if expected is None else expected_score(expected),
        "least": expected_score(least),
        "most": expected_score(MILLION - least),
    }


def newest_first(changes: "QuerySet[Change]") -> Iterator[RatingChange]:
    """Yield the JSON of all changes, newest first."""
    rows = changes.order_by(*NEWEST_FIRST).values(*CHANGE_FIELDS)
    return map(change_as_json, rows.iterator(chunk_size=2000))


def reason_in_words(exclusion: str, batch_state: str, batch_reason: str) -> str:
    """Return why a game is not rated, with the officer's reason if there is one; else empty."""
    if not exclusion:
        return ""
    reason = BatchGame.Exclusion(exclusion).reason
    is_decision = batch_state in EXCLUDED_STATES and batch_reason
    return f"{reason}: {batch_reason}" if is_decision else reason


def game_ratings_as_json(game: Game) -> list[GameRating]:
    """Return the state of a game in each pool that it is filed with, and its changes there."""
    filed = list(
        BatchGame.objects.filter(game=game).select_related("batch", "pool").order_by("pool__code")
    )
    # The index begins with the run and the batch, so name them.
    batches, runs = [row.batch_id for row in filed], [row.batch.run_id for row in filed]
    changes: dict[str, list[RatingChange]] = defaultdict(list)
    rows = Change.objects.filter(IN_CURRENT_RUN, run__in=runs, batch__in=batches, game=game)
    for row in rows.order_by("seat").values(*CHANGE_FIELDS):
        changes[row["pool__code"]].append(change_as_json(row))
    return [
        {
            "pool": row.pool.code,
            "state": (state := _state_of(row)),
            "exclusion": BatchGame.Exclusion(row.exclusion) if row.exclusion else None,
            "reason": reason_in_words(row.exclusion, row.batch.state, row.batch.reason) or None,
            "changes": changes[row.pool.code] if state == "rated" else [],
        }
        for row in filed
    ]


def _state_of(row: BatchGame) -> Literal["pending", "rated", "excluded"]:
    if row.exclusion:
        return "excluded"
    return "rated" if row.batch.is_rated else "pending"


def draw_player_ratings(
    player_id: int, pool: Pool, visible_games: "QuerySet[Game]", language: ChartLanguage
) -> str:
    """Return the chart of a player's rating in a pool after each batch, as SVG.

    A batch without a game that is visible is left out. Raises NotFound without any point.
    """
    points = _load_points(player_id, pool, visible_games)
    if not points:
        detail = Text(
            "player %(number)s has no rating in %(pool)s that you may see",
            number=player_id,
            pool=pool.code,
        )
        raise NotFound("not_found", detail)
    name = Player.objects.values_list("name", flat=True).get(pk=player_id)
    return draw_ratings(f"{name}: {pool.name}", points, language)


def _load_points(player_id: int, pool: Pool, visible_games: "QuerySet[Game]") -> list[RatingPoint]:
    rating = Rating.objects.filter(pool=pool, player=player_id).first()
    if rating is None:
        return []
    batches = (
        load_current_changes([pool], [player_id])
        .values("batch", "batch__effective_at", "batch__order_key")
        .annotate(
            rating=Max("after"),  # all changes of a batch have the same
            start=Max("before"),
            k=Max("k"),
            games=Count("game"),
            visible=Count("game", filter=Exists(visible_games.filter(pk=OuterRef("game")))),
        )
        .order_by("batch__effective_at", "batch__order_key", "batch")
    )
    system = find_preset(pool.preset, pool.parameters)
    found = list(batches)
    before = max(rating.games - sum(batch["games"] for batch in found), 0)
    is_monthly = has_months(pool)
    own: list[tuple[int, int, int]] = []
    points = []
    for batch in found:
        at = batch["batch__effective_at"]
        period = period_number(at) if is_monthly else batch["batch"]
        own.append((period, batch["k"], batch["games"]))
        if batch["visible"] and batch["rating"]:  # zero is unrated, in FIDE's system
            games = before + sum(games for *_, games in own)
            history = History(found[0]["start"] or None, sizes_of(own))
            interval = shown_interval(system, batch["rating"], games, history, pool.spread)
            points.append(RatingPoint(at.date(), batch["rating"], interval))
    return points
