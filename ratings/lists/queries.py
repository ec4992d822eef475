"""The rating list of a pool, live or published, its ranks, and the ratings of players by it.

A rank is one more than the number of better ratings.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Annotated, Any, NamedTuple, TypedDict

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.core.decimals import rating_number
from games.core.errors import NotFound, require_found
from games.core.references import PlayerReference, absolute_url, page_url, player_columns, player_of
from games.models import Player
from games.models.bulk import chunks
from games.rules.text import Text
from ratings.models import ListedRating, Pool, PublishedList, Rating
from ratings.runs.queries import History, load_histories, shown_interval
from ratings.systems.elo import MILLI
from ratings.systems.intervals import (
    INTERVAL_METHOD,
    METHOD_OF_SINGLE_GAMES,
    PROVISIONAL_BELOW,
    Sizes,
)
from ratings.systems.presets import RatingSystem, find_preset

INACTIVE_AFTER = timedelta(days=365)
RATING_FIELDS = (
    *player_columns("player"), "player_id", "player__external_ids", "rating", "games",
    "last_game_at",
)  # fmt: skip
LISTED_FIELDS = (*RATING_FIELDS, "rank", "start", "least", "most", "player__seed_rating")
"""Those of a published list."""
Listed = QuerySet[Rating] | QuerySet[ListedRating]
"""The rows of a whole list, best first."""


RULES = "who is on the list, and what rank and interval mean, in words"
Rules = Annotated[dict[str, str], RULES]
ExternalIds = Annotated[dict[str, str], "of the player, by organisation"]


class RatingInterval(TypedDict):
    """An interval of a rating, in points."""

    low: int
    high: int


class GamesAtOnce(TypedDict):
    """How many games of a player were rated together, which the interval depends on."""

    least: Annotated[float, "the mean size of the batches, weighted by K"]
    most: Annotated[float, "the mean weighted by the eighth power of K"]


class PlayerRating(TypedDict):
    """A rating, without its player."""

    url: Annotated[str, "of the rating on its list"]
    rating: float
    interval: Annotated[RatingInterval | None, f"{INTERVAL_METHOD}; null where there is none"]
    games: int
    games_at_once: GamesAtOnce
    provisional: Annotated[bool, "fewer than ten games"]
    inactive: Annotated[bool, "no game for twelve months"]
    last_game_at: datetime


class PoolRating(PlayerRating):
    """The rating of a player in a pool."""

    pool: str


class RatingRow(PlayerRating):
    """A row of a rating list."""

    rank: int
    player: PlayerReference
    external_ids: ExternalIds


class RatingPlace(PlayerRating):
    """The rating of a player, and the place on the list."""

    rank: Annotated[int | None, "null: not on the list"]
    player: PlayerReference
    external_ids: ExternalIds
    rules: Rules


class PublishedRatingList(TypedDict):
    """A rating list as it was published, without its rows."""

    pool: str
    published_on: date
    url: str
    page_url: str
    published_at: datetime
    run_number: Annotated[int, "the run that computed the ratings"]
    input_digest: Annotated[str, "of the run"]
    players: Annotated[int, "how many are on it"]
    rules: Rules
    ratings_url: Annotated[str, "of the rows; also with .csv, .ndjson"]


class ListTerms(NamedTuple):
    """What a list depends on, apart from the ratings: the system, the time, and its rules.

    `path` is that of its rows in the API. `spread` is that of the pool, which the intervals depend
    on, as on the histories of the players in `live`: the pool of a live list. A published list has
    them in its rows.
    """

    path: str
    system: RatingSystem
    as_of: datetime
    rules: dict[str, str]
    spread: int
    live: Pool | None = None


class LiveList(NamedTuple):
    """The rating list of a pool as it is now, and whom it includes.

    `provisional` and `inactive` include players with few games, and without a recent game.
    """

    pool: Pool
    terms: ListTerms
    provisional: bool = False
    inactive: bool = False

    @property
    def ratings(self) -> "QuerySet[Rating]":
        """Return its rows, best first."""
        ratings = self.pool.ratings.order_by("-rating", "player_id")
        if not self.provisional:
            ratings = ratings.filter(games__gte=PROVISIONAL_BELOW)
        if not self.inactive:
            ratings = ratings.filter(last_game_at__gt=inactive_before(self.terms.as_of))
        return ratings


def live_list(
    pool: Pool,
    as_of: datetime | None = None,
    /,
    *,
    provisional: bool = False,
    inactive: bool = False,
) -> LiveList:
    """Return the live list of a pool, now or `as_of` a time."""
    system = find_preset(pool.preset, pool.parameters)
    rules = list_rules(provisional, inactive)
    path = f"pools/{pool.code}/ratings"
    terms = ListTerms(path, system, as_of or timezone.now(), rules, pool.spread, pool)
    return LiveList(pool, terms, provisional, inactive)


def count_provisional(live: LiveList) -> int:
    """Return how many players a list leaves out because they have played few games."""
    everybody = live._replace(provisional=True)
    return everybody.ratings.filter(games__lt=PROVISIONAL_BELOW).count()


def inactive_before(as_of: datetime) -> datetime:
    """Return the time of the last game until which a player is inactive; it changes once a day."""
    return datetime.combine(as_of.date(), time.min, UTC) - INACTIVE_AFTER


def list_rules(
    provisional: bool = False, inactive: bool = False, method: str = INTERVAL_METHOD
) -> dict[str, str]:
    """Return what a list says about itself, in words."""
    return {
        "provisional": Text(
            "players with fewer than %(count)s games are %(detail)s",
            count=PROVISIONAL_BELOW,
            detail=Text("marked with a question mark") if provisional else Text("not on the list"),
        ),
        "inactive": Text(
            "players without a game for %(days)s days are %(detail)son the list",
            days=INACTIVE_AFTER.days,
            detail="" if inactive else Text("not "),
        ),
        "rank": Text("equal ratings share a rank"),
        "interval": Text(method),
    }


def page_as_json(
    page: Sequence[dict[str, Any]], ranks: Iterable[int], terms: ListTerms
) -> list[RatingRow]:
    """Return the JSON of a page of a rating list: its rows, and their ranks."""
    histories = histories_of(page, terms)
    return [
        row_as_json(rank, row, history, terms)
        for rank, row, history in zip(ranks, page, histories, strict=True)
    ]


def histories_of(page: Sequence[dict[str, Any]], terms: ListTerms) -> list[History]:
    """Return the history of the player of each row of a list."""
    if terms.live is None:
        return [_listed_history(row) for row in page]
    return find_histories(terms.live, [row["player_id"] for row in page])


def _listed_history(row: dict[str, Any]) -> History:
    if row["most"] is None:
        seed = row["player__seed_rating"]
        return History(seed * MILLI if seed else None)
    return History(row["start"], Sizes(row["least"] / 10, row["most"] / 10))


def find_histories(pool: Pool, players: Sequence[int]) -> list[History]:
    """Return the history of each of these players in a pool, in one query for 500 players."""
    found = load_histories([pool], players)
    return [found.get((pool.pk, player), History()) for player in players]


def place_as_json(rank: int | None, row: dict[str, Any], terms: ListTerms) -> RatingPlace:
    """Return the JSON of one row of a rating list, with the rules of the list."""
    (history,) = histories_of([row], terms)
    return {
        "rank": rank,
        "player": player_of(row, "player"),
        "external_ids": row["player__external_ids"],
        **rating_as_json(row, history, terms),
        "rules": terms.rules,
    }


def find_row(player: Player, rated: Listed, fields: Sequence[str]) -> dict[str, Any]:
    """Return these fields of the row of a player; raises NotFound."""
    # Without an order, so that the database finds it by the unique key of the player.
    rows = list(rated.filter(player=player).order_by().values(*fields))
    if not rows:
        raise NotFound("not_found", Text("player %(number)s has no rating here", number=player.pk))
    return rows[0]


def list_rows(ratings: Listed, terms: ListTerms) -> Iterator[RatingRow]:
    """Yield the JSON of each row of a whole rating list, as on its pages."""
    fields = RATING_FIELDS if terms.live else LISTED_FIELDS
    ranked = with_ranks(ratings.values(*fields).iterator(chunk_size=2000))
    while page := list(islice(ranked, 500)):
        histories = histories_of([row for _, row in page], terms)
        for (rank, row), history in zip(page, histories, strict=True):
            yield row_as_json(rank, row, history, terms)


def player_ratings_as_json(player_id: int) -> list[PoolRating]:
    """Return the JSON of a player's rating in each pool."""
    ratings = Rating.objects.filter(player_id=player_id).select_related("pool")
    found = list(ratings.order_by("pool__code"))
    histories = load_histories([rating.pool for rating in found], [player_id])
    return [
        {
            "pool": rating.pool.code,
            **rating_as_json(
                vars(rating),
                histories.get((rating.pool_id, player_id), History()),
                live_list(rating.pool).terms,
            ),
        }
        for rating in found
    ]


def with_ranks(
    rows: Iterable[dict[str, Any]], *, better: int = 0, tied: int = 0
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each row with its rank; equal ratings share a rank: 1 2 2 4.

    Before the first row, `better` rows of the list have a higher rating and `tied` rows the same.
    """
    rank, rating = better + 1, None
    for number, row in enumerate(rows, start=rank + tied):
        if rating not in (None, row["rating"]):
            rank = number
        rating = row["rating"]
        yield rank, row


def row_as_json(rank: int, row: dict[str, Any], history: History, terms: ListTerms) -> RatingRow:
    """Return the JSON of a row of a list."""
    return {
        "rank": rank,
        "player": player_of(row, "player"),
        "external_ids": row["player__external_ids"],
        **rating_as_json(row, history, terms),
    }


def rating_as_json(row: dict[str, Any], history: History, terms: ListTerms) -> PlayerRating:
    """Return the JSON of a rating of a list, without its player."""
    interval = shown_interval(terms.system, row["rating"], row["games"], history, terms.spread)
    return {
        "url": absolute_url(f"{terms.path}/{row['player_id']}"),
        "rating": rating_number(row["rating"]),
        "interval": interval and {"low": interval.low, "high": interval.high},
        "games": row["games"],
        "games_at_once": {"least": history.sizes.least, "most": history.sizes.most},
        "provisional": row["games"] < PROVISIONAL_BELOW,
        "inactive": row["last_game_at"] <= inactive_before(terms.as_of),
        "last_game_at": row["last_game_at"],
    }


class PublishedRating(NamedTuple):
    """A rating in milli, and the number of rated games."""

    rating: int
    games: int


def load_published_ratings(pool: str, players: Sequence[int]) -> dict[int, PublishedRating]:
    """Return the ratings in the pool with this code, by player, without the unrated ones.

    A merged player has the rating of the player they were merged into.
    """
    found: dict[int, PublishedRating] = {}
    for numbers in chunks(players) if pool else ():
        ids = Coalesce("merged_into_id", "pk")
        current = dict(Player.objects.filter(pk__in=numbers).values_list("pk", ids))
        rows = Rating.objects.filter(pool__code=pool, player__in=set(current.values()))
        ratings = {
            player: PublishedRating(*values)
            for player, *values in rows.values_list("player_id", "rating", "games")
        }
        found |= {player: ratings[pk] for player, pk in current.items() if pk in ratings}
    return found


def load_lists(pool: Pool) -> "QuerySet[PublishedList]":
    """Return the published lists of a pool, with their runs, and whether they have `Sizes`."""
    with_sizes = ListedRating.objects.filter(published_list=OuterRef("pk"), most__isnull=False)
    return pool.published_lists.select_related("run").annotate(has_sizes=Exists(with_sizes))


def find_list(pool: Pool, published_on: str) -> PublishedList:
    """Return the list of a day, as in `2026-12-01`; raises NotFound."""
    try:
        found = load_lists(pool).filter(published_on=date.fromisoformat(published_on)).first()
    except ValueError:  # there is no such day
        found = None
    missing = Text("no list of %(pool)s was published on %(day)s", pool=pool.code, day=published_on)
    return require_found(found, missing)


def listed_ratings(published: PublishedList) -> "QuerySet[ListedRating]":
    """Return the rows of a published list, best first."""
    return published.ratings.order_by("-rating", "player_id")


def published_terms(published: PublishedList) -> ListTerms:
    """Return the terms of a published list, which are those of its day."""
    path = f"{list_path(published)}/ratings"
    system = find_preset(published.preset, published.parameters)
    rules = published_rules(published)
    return ListTerms(path, system, published.published_at, rules, published.spread)


def published_rules(published: PublishedList) -> dict[str, str]:
    """Return what a published list, as of `load_lists`, says about itself."""
    has_sizes = getattr(published, "has_sizes", True)  # also that of this moment
    return list_rules(method=INTERVAL_METHOD if has_sizes else METHOD_OF_SINGLE_GAMES)


def list_path(published: PublishedList) -> str:
    """Return the path of a published list, which is that of its page too."""
    return f"pools/{published.pool.code}/lists/{published.published_on}"


def list_as_json(pool: Pool, published: PublishedList) -> PublishedRatingList:
    """Return the JSON of a published list, without its rows."""
    path = list_path(published)
    return {
        "pool": pool.code,
        "published_on": published.published_on,
        "url": absolute_url(path),
        "page_url": page_url(path),
        "published_at": published.published_at,
        "run_number": published.run.number,
        "input_digest": published.run.input_digest,
        "players": published.players,
        "rules": published_rules(published),
        "ratings_url": absolute_url(f"{path}/ratings"),
    }


def find_rank(live: LiveList, rating: int) -> int:
    """Return the rank of a rating."""
    return live.ratings.filter(rating__gt=rating).count() + 1


def find_ranks(live: LiveList, page: Sequence[dict[str, Any]]) -> list[int]:
    """Return the rank of each row of a page; one query."""
    if not page:
        return []
    rating, player = page[0]["rating"], page[0]["player_id"]
    counts = live.ratings.order_by().aggregate(
        better=Count("pk", filter=Q(rating__gt=rating)),
        tied=Count("pk", filter=Q(rating=rating, player__lt=player)),
    )
    return [rank for rank, _ in with_ranks(page, **counts)]
