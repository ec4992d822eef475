"""What directors write to, for `If-Match`: a game."""

from django.db.models import Max

from games.core.journal.lines import game_stream
from games.core.preconditions import Target
from games.models import Game


def game_target(game: Game) -> Target:
    """Return a game with the version of its last report: a ruling overrides what was reported."""

    def read_version(locked: bool) -> str:
        if locked:
            Game.objects.select_for_update(no_key=True).get(pk=game.pk)
        return str(game.reports.aggregate(last=Max("version"))["last"] or 0)

    return Target(
        game_stream(game), read_version, lambda _, payload: payload.get("game") == game.pk
    )
