"""The points of a chart of a player's rating."""

from django.db.models import Count, Exists, Max, OuterRef, QuerySet

from games.core.errors import NotFound
from games.models import Game, Player
from games.rules.text import Text
from ratings.models import Pool, Rating
from ratings.queries.current_changes import load_current_changes
from ratings.systems.charts import ENGLISH, ChartLanguage
from ratings.systems.intervals import interval_of
from ratings.systems.presets import find_preset
from ratings.systems.rating_chart import RatingPoint, draw_ratings


def draw_player_ratings(
    player_id: int,
    pool: Pool,
    visible_games: "QuerySet[Game]",
    language: ChartLanguage = ENGLISH,
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
        .values("batch", "batch__effective_at")
        .annotate(
            rating=Max("after"),  # all changes of a batch have the same
            games=Count("game"),
            visible=Count("game", filter=Exists(visible_games.filter(pk=OuterRef("game")))),
        )
        .order_by("-batch__effective_at", "-batch")
    )
    system = find_preset(pool.preset, pool.parameters)
    points = []
    games = rating.games
    for batch in batches:
        if batch["visible"] and batch["rating"]:  # zero is unrated, in FIDE's system
            interval = interval_of(system, batch["rating"], max(games, 0))
            on = batch["batch__effective_at"].date()
            points.append(RatingPoint(on, batch["rating"], interval))
        games -= batch["games"]
    return points[::-1]
