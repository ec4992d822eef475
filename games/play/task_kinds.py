"""The tasks of this app in the API: settlements of reports, and imports."""

from typing import Final

from rest_framework.request import Request

from games.core.uploads.tasks import can_see_import, import_progress, report_progress
from games.core.waits import TaskKind
from games.play.queries import visible_games
from games.play.states import may_in_game


def can_see_report(request: Request, number: int, _stream: str) -> bool:
    """Return True if the account may read the reports of the game."""
    game = visible_games(request).filter(reports=number).select_related("first", "second").first()
    return game is not None and may_in_game(request, game, "game.reports")


GAMES_TASK_KINDS: Final = {
    "report": TaskKind(report_progress, can_see_report),
    "import": TaskKind(import_progress, can_see_import),
}
