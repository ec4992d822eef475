"""The lessons of Penta-Line and Penta-Hex."""

from __future__ import annotations

from games.rules.lessons.lesson import GAME, Chapter, Lessons, Step, ten_questions
from games.rules.messages import gettext_noop as _

_ENCLOSED = "*04-T73 *05-T72 *06-T82 *01-*90"

MOVEMENT_LESSONS: Lessons = {
    "penta-line": (
        Chapter(
            title=GAME,
            board="10",
            source="booklet 23",
            steps=(
                Step(
                    text=_(
                        "Both players have ten stones at the edge. Who first has five of their own "
                        "in one row wins. Nothing is captured."
                    ),
                    states="stones = 20",
                ),
                Step(
                    text=_(
                        "A turn moves one stone along a row, as far as you like over empty cells, "
                        "as a queen moves in chess. Here a stone went from *01 all the way to S10."
                    ),
                    sample=1,
                    lit="*01 S10",
                    states="turn = second; stones = 20",
                ),
                Step(
                    text=_(
                        "A stone never jumps: S02 may go to S07, the last empty cell before the "
                        "second player's S08, but not beyond."
                    ),
                    lit="S02 S07 S08",
                    states="legal S02-S07 = yes; legal S02-S08 = no; legal S02-S00 = no",
                ),
                Step(
                    text=_(
                        "A row goes straight on. One along a ring leaves it where it meets a ray: "
                        "from S52 over S53, S54 and T50 to T61, not to T51."
                    ),
                    lit="S52 S53 S54 T50 T61 T51",
                ),
                Step(
                    text=_(
                        "The middle, C, is an ordinary cell. A row that comes down the ray of S10 "
                        "goes on over C to A10 or to R10, whichever you like."
                    ),
                    lit="S10 C A10 R10",
                ),
                Step(
                    text=_(
                        "S30, S20, S10, C and R10: five in a row, and the first player has won. "
                        "Five stones in one place are not enough, they must be in line."
                    ),
                    sample=13,
                    lit="S30 S20 S10 C R10",
                    states="winner = first",
                ),
                Step(
                    text=_(
                        "There is no swap and no pass. If you cannot stop four in a row with both "
                        "ends open you have lost, so look for three of the opponent in time."
                    ),
                    sample=12,
                    states="wins *10-C = yes; legal pass = no; legal swap = no",
                ),
            ),
        ),
        ten_questions(
            "10",
            Step(asks="legal S02-S07 = yes"),
            Step(asks="legal S01-S04 = no"),
            Step(asks="legal S02-T71 = no"),
            Step(asks="legal S08-S87 = no"),
            Step(asks="legal T01-T71 = yes"),
            Step(asks="turn = second", sample=1),
            Step(asks="stones = 20", sample=10),
            Step(asks="wins *10-C = yes", sample=12),
            Step(asks="winner = nobody", sample=12),
            Step(asks="winner = first", sample=13),
        ),
    ),
    "penta-hex": (
        Chapter(
            title=GAME,
            board="10",
            source="booklet 24-25",
            steps=(
                Step(
                    text=_(
                        "25 stones each, in turn around the edge. A turn moves one stone along a "
                        "row like a chess queen. The goal is five pentahexes of five different "
                        "shapes."
                    ),
                    states="stones = 50; turn = first",
                ),
                Step(
                    text=_(
                        "A pentahex is a group of exactly five stones that hang together, as T43, "
                        "A40, A41, A52 and A53. There are 22 shapes; turned and mirrored ones are "
                        "the same."
                    ),
                    sample=12,
                    lit="T43 A40 A41 A52 A53",
                    states="pentahexes second = 1; size T43 = 5",
                ),
                Step(
                    text=_(
                        "A sixth stone spoils it: with T32 the group is no pentahex any more, and "
                        "its shape is free again."
                    ),
                    sample=13,
                    turns="*01-T32",
                    lit="T32 T43 A40 A41 A52 A53",
                    states="pentahexes second = 0; size T43 = 6",
                ),
                Step(
                    text=_(
                        "No shape may be on the board twice, whoever has it. If *41 went to *40, "
                        "its group would get a shape that is taken, so that turn is not allowed."
                    ),
                    sample=55,
                    lit="*41 *40",
                    states="legal *41-*40 = no; pentahexes second = 3; turn = second",
                ),
                Step(
                    text=_(
                        "Your finished pentahexes may not touch each other. With the option "
                        "total-separation they may not touch the opponent's either."
                    ),
                    sample=55,
                ),
                Step(
                    text=_(
                        "Stones can be sent home. T73 and T82 already flank T72; when a third stone"
                        " comes to T61, they close a triangle around it."
                    ),
                    turns=_ENCLOSED,
                    lit="T72 T73 T82 T61",
                    states="turn = first; legal S06-T61 = no",
                ),
                Step(
                    text=_(
                        "The stone must go to an empty cell of the edge, which the player who "
                        "moved chooses, here *05: the turn is written S06-T61(T72>*05). Stones at "
                        "the edge, on C and in pentahexes are safe."
                    ),
                    turns=_ENCLOSED + " S06-T61(T72>*05)",
                    lit="S06 T61 T72 *05",
                    states="turn = second; stones = 50",
                ),
                Step(
                    text=_("Five different shapes: the second player has won."),
                    sample=78,
                    states="pentahexes second = 5; winner = second",
                ),
            ),
        ),
        ten_questions(
            "10",
            Step(asks="turn = first"),
            Step(asks="legal swap = no", turns="R00-R40"),
            Step(asks="legal S06-T61 = no", turns=_ENCLOSED),
            Step(asks="legal S06-T61(T72>*05) = yes", turns=_ENCLOSED),
            Step(asks="legal S06-T61(T72>T00) = no", turns=_ENCLOSED),
            Step(asks="size T43 = 5", sample=12),
            Step(asks="pentahexes second = 0", sample=13, turns="*01-T32"),
            Step(asks="legal *41-*40 = no", sample=55),
            Step(asks="wins *80-S80 = yes", sample=77),
            Step(asks="winner = nobody", sample=77),
        ),
    ),
}
