"""The lessons of Nobridge *Star, Double *Star and Star, on small boards."""

from __future__ import annotations

from games.rules.lessons.lesson import GAME, Chapter, Lessons, Step, alternate, ten_questions
from games.rules.messages import gettext_noop as _

_NOBRIDGE = alternate(
    "A20 A21 S32 T30 T31 T32 A30 A32 R30 *40 *41 S42 T40 A40 A42 R41 C",
    "*21 S21 R21 *30 *31 *32 S30 *42 S41 T41 T42 T43 A43 R40 R42 R43 S20",
)
_DOUBLE = "S20 A20,A30 S41,T20 S30,S31"
_STAR = "A1 D3 A2 D4 A3 C4 F6 C5 E6 E5 D6"

STAR_LESSONS: Lessons = {
    "nobridge-star-star": (
        Chapter(
            title=GAME,
            board="4",
            after="star-star",
            source="booklet 21",
            steps=(
                Step(
                    text=_(
                        "This is *Star without its bridge: the middle is a cell, C, like any other."
                        " Here the first player has taken it with the first stone."
                    ),
                    turns="C",
                    lit="C",
                    states="size C = 1; turn = second; legal C = no",
                ),
                Step(
                    text=_(
                        "C joins the five cells around it for its owner only: S10 and A10 hang "
                        "together, T10 and R10 do not. Who has the middle shuts the other out of "
                        "it."
                    ),
                    turns="C T10 S10 R10 A10",
                    lit="C S10 T10 A10 R10",
                    states="joined S10 A10 = yes; joined T10 R10 = no",
                ),
                Step(
                    text=_(
                        "C is not at the edge and has no peri. All else is as in *Star: the turns "
                        "and the swap, stars, sparks, quarks, the reward and the end."
                    ),
                    turns="C T10 S10 R10 A10",
                    lit="C",
                    states="edges C = 0; peries first = 0",
                ),
            ),
        ),
        ten_questions(
            "4",
            Step(asks="legal C = yes"),
            Step(asks="legal C = no", turns="C A20"),
            Step(asks="turn = first", turns="C swap"),
            Step(asks="joined S10 R10 = yes", turns="S10 T10 R10 A10 C"),
            Step(asks="joined T10 A10 = yes", turns="S10 T10 R10 A10 C"),
            Step(asks="joined S10 R10 = no", turns="S10 C R10 T10"),
            Step(asks="owner S42 = first", turns="S41 A21 S31 A31 S32 C S43"),
            Step(asks="peries second = 11", turns=_NOBRIDGE),
            Step(asks="stars first = 2", turns=_NOBRIDGE),
            Step(asks="score = 12-9", turns=_NOBRIDGE),
        ),
    ),
    "double-star-star": (
        Chapter(
            title=GAME,
            board="4",
            after="star-star",
            source="booklet 22, ours",
            steps=(
                Step(
                    text=_(
                        "Board, stars and score are those of *Star. The first turn is one stone, "
                        "here on S20. The second player may swap it."
                    ),
                    turns="S20",
                    lit="S20",
                    states="legal swap = yes; legal A20 = no; legal A20,A30 = yes",
                ),
                Step(
                    text=_(
                        "From then on every turn is two stones, together as here on A20 and A30, or"
                        " far apart. Nobody may place only one."
                    ),
                    turns="S20 A20,A30",
                    lit="A20 A30",
                    states="joined A20 A30 = yes; turn = first; legal T20 = no",
                ),
                Step(
                    text=_(
                        "Two stones a turn change what is safe. S20 and S41 have two cells between "
                        "them, S30 and S31, of which one would do. In *Star that is a sure "
                        "connection; here the opponent takes both at once."
                    ),
                    turns=_DOUBLE,
                    lit="S20 S41 S30 S31",
                    states="joined S20 S41 = no; joined S30 S31 = yes",
                ),
                Step(
                    text=_(
                        "So a connection needs three ways before it is safe, and a single threat "
                        "is answered with one stone of the two. If one cell is left at the end, "
                        "the last turn is one stone."
                    ),
                    turns=_DOUBLE,
                ),
            ),
        ),
        ten_questions(
            "4",
            Step(asks="legal S20 = yes"),
            Step(asks="legal S20,S30 = no"),
            Step(asks="legal swap = yes", turns="S20"),
            Step(asks="legal S30 = no", turns="S20"),
            Step(asks="turn = first", turns="S20 swap"),
            Step(asks="turn = second", turns="S20 A20,A30 S41,T20"),
            Step(asks="joined S20 S41 = no", turns=_DOUBLE),
            Step(asks="joined *43 T30 = no", turns=_DOUBLE + " S40,S42 *43,T30"),
            Step(asks="stones = 7", turns="S20 A20,A30 S41,T20 S30,S31"),
            Step(asks="owner S40 = second", turns=_DOUBLE + " *42,R20 *43,S40"),
        ),
    ),
    "star": (
        Chapter(
            title=GAME,
            board="3x4",
            source="encyclopedia",
            steps=(
                Step(
                    text=_(
                        "Star is the older sister of *Star. Its board is a hexagon with long and "
                        "short sides. The border hexes around it are not played on; they are what "
                        "counts."
                    )
                ),
                Step(
                    text=_(
                        "A turn is one stone on an empty cell, or a pass. The second player may "
                        "swap the first stone; here they have passed. If the first player passes "
                        "too, the game is over."
                    ),
                    turns="C3 pass",
                    states="turn = first; legal pass = yes",
                ),
                Step(
                    text=_(
                        "Most cells at the edge touch two border hexes, as A2 does; a corner "
                        "touches three. A chain that touches three or more is a star, so the stone "
                        "on A1 is one, all alone."
                    ),
                    turns="A1 B3",
                    lit="A1 A2",
                    states="hexes A1 = 3; stars first = 1",
                ),
                Step(
                    text=_(
                        "A star scores the number of its border hexes less two. A1, A2 and A3 touch"
                        " six, which is four points."
                    ),
                    turns="A1 D3 A2 D4 A3",
                    lit="A1 A2 A3",
                    states="hexes A1 = 6; stars first = 1",
                ),
                Step(
                    text=_(
                        "Two stars pay the two points twice. The first player has A1 to A3 and D6 "
                        "to F6, each with six border hexes: 6 - 2 + 6 - 2 = 8. In one star the "
                        "same cells would score 10."
                    ),
                    turns=_STAR,
                    lit="A1 A2 A3 D6 E6 F6",
                    states="stars first = 2; hexes A1 = 6; hexes F6 = 6; touches first = 12",
                ),
                Step(
                    text=_(
                        "Both players pass, and the board is counted as it is. The second player's "
                        "stones touch only two border hexes, so they score nothing."
                    ),
                    turns=_STAR + " pass pass",
                    states="ending = passes; score = 8-0; winner = first; hexes C5 = 2",
                ),
                Step(
                    text=_(
                        "A full board always gives the same sum, 19 on this one, three times the "
                        "two lengths less two. Where one length is even and the other odd, so is "
                        "the sum, and there are no draws."
                    ),
                    states="possible = 0-19",
                ),
            ),
        ),
        ten_questions(
            "3x4",
            Step(asks="legal pass = yes", turns="C3"),
            Step(asks="hexes C3 = 0", turns="C3 D3"),
            Step(asks="legal C3 = no", turns="C3 pass"),
            Step(asks="joined B3 C4 = yes", turns="B3 D3 C4 D4"),
            Step(asks="hexes B1 = 2", turns="B1 D3"),
            Step(asks="stars first = 0", turns="B1 D3 C2 D4"),
            Step(asks="stars first = 1", turns="B1 D3 C2 D4 C1"),
            Step(asks="stars second = 1", turns="B3 D1"),
            Step(asks="score = 4-0", turns="A1 D3 A2 D4 A3 pass pass"),
            Step(asks="winner = first", turns="A1 D1 A2 D2 A3 pass pass"),
        ),
    ),
}
