"""The lesson of *Star, on the beginner board."""

from __future__ import annotations

from games.rules.lessons.lesson import GAME, Chapter, Lessons, Step, alternate, ten_questions
from games.rules.messages import gettext_noop as _

_END = alternate(
    "T30 T31 T32 A30 S43 T42 A41 A42 A43 R40 R41 R42",
    "S30 S31 R32 *40 *41 *42 *43 S40 S42 T40 T41 R43",
)
_ASKED = alternate(
    "A20 A21 S32 T30 T31 T32 A30 A32 R30 *40 *41 S42 T40 A40 A42 R41",
    "*21 S21 R21 *30 *31 *32 S30 *42 S41 T41 T42 T43 A43 R40 R42 R43",
)

STAR_STAR_LESSONS: Lessons = {
    "star-star": (
        Chapter(
            title=GAME,
            board="4",
            source="booklet 4-8, inventor",
            steps=(
                Step(
                    text=_(
                        "*Star is a contest for the edge of the board. Who owns more of it in the "
                        "end, in fewer separate groups, wins."
                    )
                ),
                Step(
                    text=_(
                        "A turn is one stone on any empty cell. A stone stays where it is to the "
                        "end. Here both players have had a turn, and the first is to move."
                    ),
                    turns="S21 A21",
                    states="turn = first; legal T30 = yes; legal S21 = no",
                ),
                Step(
                    text=_(
                        "A strong first stone would be an advantage. So the second player may "
                        "swap: the stone on S20 becomes theirs, and the first player goes on."
                    ),
                    turns="S20 swap",
                    lit="S20",
                    states="turn = first; size S20 = 1; legal swap = no",
                ),
                Step(
                    text=_(
                        "Stones of one colour on neighbouring cells hang together as a chain: S30,"
                        " S31 and S42. The other player's A30 and A32 do not; A31 is between them."
                    ),
                    turns="S30 A30 S31 A32 S42",
                    lit="S30 S31 S42 A30 A31 A32",
                    states="joined S30 S42 = yes; joined A30 A32 = no",
                ),
                Step(
                    text=_(
                        "The star in the middle is the bridge. No stone goes there, but it joins "
                        "the five cells around it, for both players at once: S10 with A10, and T10"
                        " with R10."
                    ),
                    turns="S10 T10 A10 R10",
                    lit="S10 T10 A10 R10",
                    states="joined S10 A10 = yes; joined T10 R10 = yes; legal C = no",
                ),
                Step(
                    text=_(
                        "Each cell at the edge has a point, its peri. A chain with two or more edge"
                        " cells is a star, and it owns their peries. This one has S41 and S43."
                    ),
                    turns="S41 A21 S31 A31 S32 A32 S43",
                    lit="S41 S43",
                    states="edges S41 = 2; stars first = 1; owner S41 = first; owner S43 = first",
                ),
                Step(
                    text=_(
                        "A star also owns what it shuts in. Nobody can make a star of S42 any more,"
                        " so its peri counts for the first player, though no stone is there."
                    ),
                    turns="S41 A21 S31 A31 S32 A32 S43",
                    lit="S42",
                    states="owner S42 = first; peries first = 3",
                ),
                Step(
                    text=_(
                        "A chain with a single edge cell is a spark and owns nothing. The second "
                        "player's stone on S42 is one: its peri stays with the star around it."
                    ),
                    turns="S41 A21 S31 A31 S32 A32 S43 S42",
                    lit="S42",
                    states="edges S42 = 1; owner S42 = first; stars second = 0; peries second = 0",
                ),
                Step(
                    text=_(
                        "The five corners are quarks. Who owns three or more of them gets one point"
                        " more, so one of the players always does."
                    ),
                    lit="*40 S40 T40 A40 R40",
                ),
                Step(
                    text=_(
                        "The end of a game. Cells are empty, but no stone on them can change the "
                        "score, so it may be counted."
                    ),
                    turns=_END,
                    states="ending = decided",
                ),
                Step(
                    text=_(
                        "The first player has one star. It holds eight edge cells and shuts in two,"
                        " T43 and A40: ten peries, and two quarks, which is too few."
                    ),
                    turns=_END,
                    lit="S43 T42 T43 A40 A41 A42 A43 R40 R41 R42",
                    states="stars first = 1; peries first = 10; quarks first = 2; owner T43 = "
                    "first; owner A40 = first",
                ),
                Step(
                    text=_(
                        "The second player has two stars: T40 with T41, and a long one from R43 to "
                        "S42 that shuts in S41. Together they own ten peries, and three quarks for "
                        "one point more."
                    ),
                    turns=_END,
                    lit="R43 *40 *41 *42 *43 S40 S41 S42 T40 T41",
                    states="stars second = 2; peries second = 10; quarks second = 3; owner S41 = "
                    "second; joined R43 S42 = yes",
                ),
                Step(
                    text=_(
                        "Now the reward: for each star fewer a player gets two points and the other"
                        " loses two. First 10 + 2 = 12, second 10 + 1 - 2 = 9. The first player "
                        "wins because they have one star only."
                    ),
                    turns=_END,
                    states="score = 12-9; winner = first",
                ),
                Step(
                    text=_(
                        "On this board both scores always add up to 21, on the tournament board to "
                        "51. The sum is odd, so no game is tied. Most games end before the board is"
                        " full, when both players agree on the score."
                    ),
                    turns=_END,
                    states="score = 12-9",
                ),
            ),
        ),
        ten_questions(
            "4",
            Step(asks="legal swap = no", turns="S20 A21"),
            Step(asks="turn = first", turns="T30 swap"),
            Step(asks="joined S10 R10 = yes", turns="S10 T10 R10 A10"),
            Step(asks="edges T30 = 2", turns="S43 A20 T30 T40 T41"),
            Step(asks="owner T40 = first", turns="S43 A20 T30 T40 T41"),
            Step(asks="owner S42 = nobody", turns="S42 A20 S32 S41 A21 T42"),
            Step(asks="stars second = 3", turns=_ASKED),
            Step(asks="owner A41 = first", turns=_ASKED),
            Step(asks="quarks first = 3", turns=_ASKED, lit="*40 S40 T40 A40 R40"),
            Step(asks="score = 12-9", turns=_ASKED),
        ),
    ),
}
