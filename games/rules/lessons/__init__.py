"""The lessons of the games: for each its chapters, by the code of the game.

They are the game, ten questions about it, and as far as it has them counted examples and tactics.
"""

from __future__ import annotations

from games.rules.lessons.connection import CONNECTION_LESSONS
from games.rules.lessons.counts import COUNTS
from games.rules.lessons.lesson import Lessons
from games.rules.lessons.movement import MOVEMENT_LESSONS
from games.rules.lessons.solitaires import SOLITAIRE_LESSONS
from games.rules.lessons.star_star import STAR_STAR_LESSONS
from games.rules.lessons.stars import STAR_LESSONS
from games.rules.lessons.tactics import TACTICS

LESSONS: Lessons = {
    code: (*chapters, *COUNTS.get(code, ()), *TACTICS.get(code, ()))
    for code, chapters in (
        STAR_STAR_LESSONS | STAR_LESSONS | CONNECTION_LESSONS | MOVEMENT_LESSONS | SOLITAIRE_LESSONS
    ).items()
}
