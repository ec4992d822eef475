"""Load the confirmed games of an event, a player or a pool, with their board numbers."""

from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Game, Player
from games.study.files import GAME_EXPORT_COLUMNS
from ratings.models import BatchGame, Pool
from tournament.models import Pairing

Rows = QuerySet[Any, dict[str, Any]]


def games_of_event(games: "QuerySet[Game]", stream: str) -> Rows:
    """Return the confirmed games of an event, of these games, as rows."""
    return _with_boards(games.filter(stream=stream))


def games_of_player(games: "QuerySet[Game]", player: Player) -> Rows:
    """Return the confirmed games of a player, of these games, as rows."""
    players = [player.pk, *player.merged.values_list("pk", flat=True)]
    return _with_boards(games.filter(Q(first__in=players) | Q(second__in=players)))


def games_of_pool(games: "QuerySet[Game]", pool: Pool) -> Rows:
    """Return the confirmed games that a pool rates, of these games, as rows."""
    rated = BatchGame.objects.filter(pool=pool, exclusion="", game=OuterRef("pk"))
    return _with_boards(games.filter(Exists(rated)))


def _with_boards(games: "QuerySet[Game]") -> Rows:
    current = Pairing.objects.filter(version=F("round__version"))
    found = (current.filter(**{name: OuterRef("pk")}) for name in ("game", "return_game"))
    numbers = (Subquery(lines.values("board_number")[:1]) for lines in found)
    confirmed = games.filter(state=Game.State.CONFIRMED)
    return confirmed.annotate(board_number=Coalesce(*numbers)).values(*GAME_EXPORT_COLUMNS)
