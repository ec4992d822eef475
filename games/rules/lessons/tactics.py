"""Tactics as positions to try; the tests play them out on the cells that they name."""

from __future__ import annotations

from games.rules.lessons.lesson import Chapter, Lessons, Step, alternate
from games.rules.messages import gettext_noop as _

TACTICS_TITLE = _("Tactics to try")

_RELEVANT = alternate("S95 S53 S41", "S75 S72 S83")
_WASTE = alternate("S65 S63", "S85 S86")
_CHASE = alternate(
    "S61 S62 S63 S64 S71 S02 S03 S04 S05 S06 S07 S08 S09",
    "S72 S73 S74 S76 S86 S92 S97 A60 T60 R60 *60 A30 T30",
)
_CHASED = f"{_CHASE} S82 S93 S83 S94"

TACTICS: Lessons = {
    "star-star": (
        Chapter(
            title=TACTICS_TITLE,
            board="10",
            source="booklet 9-16, ours",
            steps=(
                Step(
                    text=_(
                        "S64 and S85 do not touch, but they cannot be parted: if the second player "
                        "takes S74, the first takes S75, and the other way round. Two stones with "
                        "two common empty neighbours are as good as joined."
                    ),
                    turns="S64 A60 S85",
                    lit="S64 S85 S74 S75",
                    sure="joined S64 S85",
                ),
                Step(
                    text=_(
                        "The second player has come between, on S74. How does the first player "
                        "keep S64 and S85 together?"
                    ),
                    turns="S64 A60 S85 S74",
                    lit="S73 S75 S84",
                    among="S64 S85",
                    best="S75",
                    goal="joined S64 S85",
                    answer=_("With S75, the other cell of the pair. Everything else is too late."),
                ),
                Step(
                    text=_(
                        "Such pairs add up if they have no cell in common. S74 with S75, S84 with "
                        "S95, and S04 with S05 hold S64 to the edge: one answer to each stone of "
                        "the opponent. That shows what is certain; a better move may still exist."
                    ),
                    turns="S64 A60 S85 T60 S94",
                    lit="S74 S75 S84 S95 S04 S05",
                    sure="edge S64",
                ),
                Step(
                    text=_(
                        "Pairs with a common cell do not add up. S64 is to hold S85 by S74 or S75, "
                        "and S76 by S65 or S75, but S86 is taken. Where does the second player "
                        "part them?"
                    ),
                    turns="S64 S86 S85 A60 S76",
                    lit="S65 S74 S75",
                    among="S64 S85 S76 S86",
                    best="S75",
                    goal="apart S64 S85 S76",
                    answer=_(
                        "On S75. That takes a cell of both pairs at once, and the first player can "
                        "save only one of them."
                    ),
                ),
                Step(
                    text=_(
                        "A group next to the bridge in two ways is joined over it. S21 has S10 and "
                        "T10, A21 has A10 and R10: one of each pair is enough."
                    ),
                    turns="S21 T60 A21",
                    lit="S21 A21 S10 T10 A10 R10",
                    sure="joined S21 A21",
                ),
                Step(
                    text=_(
                        "The second player has taken T10. What must the first player do to join "
                        "S21 and A21 over the bridge?"
                    ),
                    turns="S21 T60 A21 T10",
                    lit="S10 A10 R10",
                    among="S21 A21",
                    best="S10",
                    goal="joined S21 A21",
                    answer=_(
                        "S10. The pair of A10 and R10 can wait, for one of them will always be left"
                        " over."
                    ),
                ),
                Step(
                    text=_(
                        "A stone in the way need not stop you. S90 stands before S80, but there is "
                        "a way past it on either side: S91 and then S01 or S02, or *98 and then *08"
                        " or *09."
                    ),
                    turns="S80 S90 A50",
                    lit="S80 S90 S91 S01 S02 *98 *08 *09",
                    sure="edge S80",
                ),
                Step(
                    text=_(
                        "A stone one step from the edge, as S94, has reached it: S04 or S05 will "
                        "do."
                    ),
                    turns="S94",
                    lit="S94 S04 S05",
                    sure="edge S94",
                ),
                Step(
                    text=_(
                        "Be relevant. The second player threatens to join S75 to S72 and S83. One "
                        "of the marked cells stops it. Which one?"
                    ),
                    turns=_RELEVANT,
                    lit="S62 S63 S64 S73 S74 S84 S85",
                    among="S42 S52 S75 S72 S83",
                    best="S74",
                    goal="apart S75 S72",
                    answer=_(
                        "S74. There are two threats, over S84 and over S63. Only S74 is in the way "
                        "of both; against one threat alone other cells would do as well."
                    ),
                ),
                Step(
                    text=_(
                        "With S74 the first player has joined S95 to S41 besides, by three pairs: "
                        "S84 with S85, S63 with S64, S42 with S52. To stop the other and to win "
                        "your own way is often the same move."
                    ),
                    turns=_RELEVANT + " S74",
                    lit="S74 S84 S85 S63 S64 S42 S52",
                    sure="joined S95 S41",
                ),
                Step(
                    text=_(
                        "Waste nothing. S65 and S63 are to be joined, and three cells do it: S64, "
                        "S74 and S75. Which is best?"
                    ),
                    turns=_WASTE,
                    lit="S64 S74 S75",
                    among="S65 S63 S73 S84",
                    best="S74",
                    answer=_(
                        "S74. It also reaches out to S84. S64 gains nothing more, and after S75 the"
                        " opponent plays S74 with a threat and comes next to S73 for nothing."
                    ),
                ),
                Step(
                    text=_(
                        "After S74 the two stones hold together by S64 and S75, and a stone of the "
                        "opponent on S75 gains nothing."
                    ),
                    turns=_WASTE + " S74",
                    lit="S74 S64 S75 S84",
                    sure="joined S65 S63",
                ),
                Step(
                    text=_(
                        "A chase. S82 threatened to go on to S93, so the second player took S93; "
                        "S83 threatened S94, and so it would go along the edge. At its end S86 and "
                        "S97 wait, and the chase alone loses."
                    ),
                    turns=_CHASED,
                    lit="S82 S93 S83 S94 S86 S97",
                ),
                Step(
                    text=_(
                        "Double trouble. The first player, to move, wants to join S64 to the edge "
                        "stones S02 to S09. One stone makes two threats at once. Where?"
                    ),
                    turns=_CHASED,
                    lit="S75 S84 S85 S95 S96",
                    among="S64 S02 S09",
                    best="S85",
                    goal="joined S64 S05",
                    answer=_(
                        "S85. It threatens S75, which joins it to S64, and S84, which joins it to "
                        "the chase; only one of them can be stopped. Leave a chase while it can "
                        "still be turned to use."
                    ),
                ),
            ),
        ),
    ),
    "hex": (
        Chapter(
            title=TACTICS_TITLE,
            board="5",
            source="public, booklet 9, ours",
            steps=(
                Step(
                    text=_(
                        "c3 and d1 do not touch, but they have c2 and d2 in common. Whichever the "
                        "second player takes, the first takes the other: players of Hex call this a"
                        " bridge."
                    ),
                    turns="c3 a2 d1",
                    lit="c3 d1 c2 d2",
                    sure="joined c3 d1",
                ),
                Step(
                    text=_("The second player has come between, on c2. What is the answer?"),
                    turns="c3 a2 d1 c2",
                    lit="b3 c4 d2",
                    among="c3 d1 c2",
                    best="d2",
                    goal="joined c3 d1",
                    answer=_("d2, and the chain has reached the upper side."),
                ),
            ),
        ),
    ),
}
