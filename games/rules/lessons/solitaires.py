"""The lessons of the puzzles for one player."""

from __future__ import annotations

from games.rules.lessons.lesson import GAME, Chapter, Lessons, Step, ten_questions
from games.rules.messages import gettext_noop as _

_JUMP = _(
    "A stone jumps in a row over the stone next to it to the empty cell behind, and the stone that "
    "was jumped is taken off."
)
_FEWEST = "A53 R43 T40 *21 *42 A30 R51 S71 T52"

SOLITAIRE_LESSONS: Lessons = {
    "queens": (
        Chapter(
            title=GAME,
            board="10",
            source="booklet 26, ours",
            steps=(
                Step(
                    text=_(
                        "A puzzle for one player: place stones so that no two are in one row, until"
                        " there is no cell left."
                    )
                ),
                Step(
                    text=_(
                        "A stone guards all its rows, as a queen does in chess. S50 guards its ray,"
                        " both rays beyond the middle, and T61, but not T51. Guarded cells are "
                        "hatched."
                    ),
                    turns="S50",
                    lit="S50 S40 A10 R10 T61 T51",
                    states="legal S40 = no; legal A10 = no; legal R10 = no; legal T61 = no; legal "
                    "T51 = yes",
                ),
                Step(
                    text=_(
                        "Solved with 17 stones: every other cell is guarded. More than 17 are "
                        "impossible."
                    ),
                    sample=17,
                    states="stones = 17; ends = yes",
                ),
                Step(
                    text=_(
                        "The other way round, it takes at least nine stones to guard everything. "
                        "This is one way to do it."
                    ),
                    turns=_FEWEST,
                    states="stones = 9; ends = yes",
                ),
            ),
        ),
        ten_questions(
            "10",
            Step(asks="legal C = yes"),
            Step(asks="legal S30 = no", turns="S50"),
            Step(asks="legal T51 = yes", turns="S50"),
            Step(asks="legal R40 = no", turns="S50"),
            Step(asks="legal T40 = yes", turns="S50"),
            Step(asks="legal S62 = yes", turns="S50"),
            Step(asks="legal A30 = no", turns="C"),
            Step(asks="ends = no", turns="C"),
            Step(asks="stones = 17", sample=17),
            Step(asks="ends = yes", turns=_FEWEST),
        ),
    ),
    "supply-line": (
        Chapter(
            title=GAME,
            board="10",
            source="booklet 27, ours",
            steps=(
                Step(
                    text=_(
                        "The inner five rings and the middle are full: 76 stones. The last one "
                        "shall end at the edge, five rings farther out."
                    ),
                    states="stones = 76",
                ),
                Step(text=_JUMP, sample=1, lit="T42 T64", states="stones = 75"),
                Step(
                    text=_(
                        "It can be done in 75 jumps, as here, but from four rings it cannot: no "
                        "stone would get so far out."
                    ),
                    sample=75,
                    lit="R05",
                    states="stones = 1; ends = yes; ending = solved",
                ),
            ),
        ),
        ten_questions(
            "10",
            Step(asks="stones = 76"),
            Step(asks="legal T42-T64 = yes"),
            Step(asks="legal T31-T53 = no"),
            Step(asks="legal S50-S70 = no"),
            Step(asks="legal S40-S60 = yes"),
            Step(asks="stones = 74", sample=2),
            Step(asks="legal T64-T42 = no", sample=1),
            Step(asks="legal T51-T53 = yes", sample=1),
            Step(asks="ends = no", sample=74),
            Step(asks="ends = yes", sample=75),
        ),
    ),
    "ring": (
        Chapter(
            title=GAME,
            board="10",
            source="booklet 27, ours",
            steps=(
                Step(
                    text=_("Ring 6 is full of stones, 30 of them. The last one shall end on C."),
                    lit="C",
                    states="stones = 30",
                ),
                Step(text=_JUMP, sample=1, lit="R61 A76", states="stones = 29"),
                Step(
                    text=_(
                        "Nobody has told us a solution, and our searches found none. This try ends "
                        "with 11 stones that cannot jump. Can you do better?"
                    ),
                    sample=19,
                    states="stones = 11; ends = yes; ending = blocked",
                ),
            ),
        ),
        ten_questions(
            "10",
            Step(asks="stones = 30"),
            Step(asks="legal R61-A76 = no", sample=1),
            Step(asks="legal R61-A76 = yes"),
            Step(asks="legal S60-S62 = no"),
            Step(asks="legal S60-S40 = no"),
            Step(asks="legal S61-*76 = yes", sample=1),
            Step(asks="stones = 28", sample=2),
            Step(asks="ends = no"),
            Step(asks="ends = no", sample=18),
            Step(asks="ends = yes", sample=19),
        ),
    ),
    "mini": (
        Chapter(
            title=GAME,
            board="10",
            source="booklet 27, ours",
            steps=(
                Step(
                    text=_(
                        "The inner two rings and the middle are full: 16 stones. One shall be left "
                        "in the end, anywhere."
                    ),
                    states="stones = 16",
                ),
                Step(text=_JUMP, sample=1, lit="A10 T31", states="stones = 15"),
                Step(
                    text=_(
                        "Over the middle a jump may go on to either of the two rays opposite: S10 "
                        "jumped over C to A10, and R10 would have been as good if it were empty."
                    ),
                    sample=2,
                    lit="S10 C A10 R10",
                    states="stones = 14",
                ),
                Step(
                    text=_(
                        "Solved, on A21. The last stone can also end in the middle, but never at a "
                        "corner of the inner pentagon or beside C."
                    ),
                    sample=15,
                    lit="A21",
                    states="stones = 1; ends = yes; ending = solved",
                ),
            ),
        ),
        ten_questions(
            "10",
            Step(asks="stones = 16"),
            Step(asks="legal A10-T31 = yes"),
            Step(asks="legal S20-S40 = no"),
            Step(asks="legal S10-S30 = yes"),
            Step(asks="legal S10-A10 = no"),
            Step(asks="legal S10-A10 = yes", sample=1),
            Step(asks="stones = 14", sample=2),
            Step(asks="ends = no", sample=14),
            Step(asks="stones = 1", sample=15),
            Step(asks="ends = yes", sample=15),
        ),
    ),
}
