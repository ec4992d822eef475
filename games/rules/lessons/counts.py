"""Counted examples: the sources keep the tallies, the stones are our own (found by a search)."""

from __future__ import annotations

from games.rules.lessons.lesson import Chapter, Lessons, Step, alternate
from games.rules.messages import gettext_noop as _

_ONE_STAR = alternate(
    "S10 T10 R10 S20 T20 A21 R20 R21 *30 T30 A31 R31 R32 *40 *41 S43 T40 T41 A41 R41",
    "*10 A10 *21 T21 *32 S30 S31 T32 A30 A32 R30 *42 S40 S42 T42 A40 A42 R40 R42 R43",
)
_STOPPED = alternate(
    "*30 *41 A21 A31 A41 R10 R21 R31 R41 S10 S43 T20 T40 T41",
    "*10 *21 *32 *42 A10 A32 A40 A42 R40 S30 S40 S42 T32 T42",
)
_THREE_STARS = alternate(
    "*20 T20 T21 R20 R21 *31 S31 S32 T32 A32 R30 *40 *42 S40 S41 T43 A41 A42 R40 R43",
    "*10 A10 R10 *21 A20 *30 *32 A30 R32 *41 *43 S42 S43 T40 T41 T42 A40 A43 R41 R42",
)
_LARGE = alternate(
    "*40 *41 S40 R43 *50 *52 *53 R54 *61 *64 *65 S60 R62 R64 *70 *72 S70 R70 R71 R72 R73 "
    "R74 *83 *85 S81 R80 R85 *94 *97 *98 S90 S91 S98 T90 A90 A91 A92 R91 R92 R96 *00 *01 "
    "*03 *04 *07 S00 S01 S05 S06 S08 T01 T02 T04 T05 T09 A00 A03 A04 A05 R02 R03 R06 R07",
    "T20 S32 T31 T32 A30 S42 T41 A41 S53 T52 A52 A53 S64 T63 A62 A64 A65 S74 S75 S76 T73 "
    "A70 A71 A72 A76 S82 S83 S84 S87 T83 A80 A86 *90 *91 S92 S94 S97 T93 T98 A96 R90 *02 "
    "*08 *09 S02 S04 S07 S09 T00 T03 T06 T07 T08 A06 A07 A08 A09 R01 R04 R05 R08 R09",
)
_HEXAGON = alternate(
    "A1 A2 A3 B2 B4 C2 C5 D1 D2 D6 D7 D8 E1 E9 F1 F9 G9 H10 I9 I10 J5 J9",
    "A4 A5 B1 B6 C1 C7 F10 G2 G4 G5 G10 H3 H4 H6 H7 I4 I6 I8 J6 J8 J10",
)

_ONE, _THREE, _SIX = (
    _("Counted: 11-10, one star against three"),
    _("Counted: 11-10, three stars each"),
    _("Counted: 26-25 on the tournament board"),
)

COUNTS: Lessons = {
    "star-star": (
        Chapter(
            title=_ONE,
            board="4",
            turns=_ONE_STAR,
            source="booklet 4-7 10, inventor, ours",
            steps=(
                Step(
                    text=_(
                        "The booklet's own example. Its drawing is lost, so this position is "
                        "reconstructed: the stars and what they own are those of the sources, the "
                        "rest is ours. Who has won?"
                    ),
                    states="ending = decided",
                ),
                Step(
                    text=_(
                        "The first player has one star. The bridge holds it together. Seven edge "
                        "cells, two of them quarks: seven peries."
                    ),
                    lit="*40 *41 S43 T40 T41 A41 R41",
                    states="stars first = 1; peries first = 7; quarks first = 2; joined *40 T40 = "
                    "yes",
                ),
                Step(
                    text=_(
                        "The second player's largest star goes over the same bridge. It contains "
                        "five edge cells and shuts in *43, S41 and T43: eight peries, two quarks."
                    ),
                    lit="*42 *43 S40 S41 S42 T42 T43 A40",
                    states="joined *42 A40 = yes; edges S40 = 5; owner *43 = second; owner S41 = "
                    "second; owner T43 = second",
                ),
                Step(
                    text=_(
                        "The next one owns three peries, that of A43 shut in, and with R40 a quark."
                    ),
                    lit="A42 A43 R40",
                    states="joined A42 R40 = yes; owner A43 = second",
                ),
                Step(
                    text=_(
                        "The third star, R42 and R43, is worth nothing: two peries, and two points "
                        "lost for one star more, which the opponent gains besides. That makes 13 "
                        "peries and three quarks."
                    ),
                    lit="R42 R43",
                    states="edges R42 = 2; peries second = 13; quarks second = 3; stars second = 3",
                ),
                Step(
                    text=_(
                        "One star against three: the first player is rewarded with 4, the second "
                        "loses 4. So 7 + 4 = 11 and 13 + 1 - 4 = 10: six peries fewer, and won."
                    ),
                    states="score = 11-10; winner = first",
                ),
                Step(
                    text=_(
                        "The inventor counts in one line what the first player leads by: 7 peries, "
                        "less 14 with the point for three quarks, and four for each star fewer, "
                        "which is 8. The sum is +1, and more than zero wins."
                    ),
                    states="score = 11-10",
                ),
                Step(
                    text=_(
                        "This game could have stopped earlier. One of each of four pairs is enough "
                        "for the first player: S21 and T10, S32 and T30, *20 and R32, *40 and R43; "
                        "for the second S31 and S41, A20 and T21, A30 and T43, A43 and R30. Who "
                        "answers in pairs is sure of 11 or of 10, so both can agree on that."
                    ),
                    turns=_STOPPED,
                    lit="S21 T10 S32 T30 *20 R32 *40 R43 S31 S41 A20 T21 A30 T43 A43 R30",
                    states="least first S21/T10 S32/T30 *20/R32 *40/R43 = 11; least second S31/S41 "
                    "A20/T21 A30/T43 A43/R30 = 10",
                ),
            ),
        ),
        Chapter(
            title=_THREE,
            board="4",
            turns=_THREE_STARS,
            source="booklet 7-8, inventor, ours",
            steps=(
                Step(
                    text=_(
                        "Here both players have three stars, so there is no reward to count. This "
                        "position is reconstructed, too."
                    ),
                    states="stars first = 3; stars second = 3; ending = decided",
                ),
                Step(
                    text=_(
                        "The first player's largest star owns five peries: it contains four edge "
                        "cells, and on A43 it shuts in a spark."
                    ),
                    lit="*42 A41 A42 A43 R40",
                    states="edges A41 = 4; edges A43 = 1; owner A43 = first",
                ),
                Step(
                    text=_(
                        "With S40, S41 and T43, and with *40 and R43, that is 5 + 3 + 2 = 10 "
                        "peries, and three quarks: *40, S40 and R40."
                    ),
                    lit="S40 S41 T43 *40 R43 R40",
                    states="peries first = 10; quarks first = 3; joined S40 T43 = yes; joined *40 "
                    "R43 = yes",
                ),
                Step(
                    text=_(
                        "The second player owns 5 + 3 + 2 as well, but two quarks only, T40 and "
                        "A40."
                    ),
                    lit="S42 S43 T40 T41 T42 *41 R41 R42 *43 A40",
                    states="peries second = 10; quarks second = 2; edges T40 = 5; edges R41 = 3; "
                    "edges A40 = 2",
                ),
                Step(
                    text=_(
                        "The third quark decides: 11-10. So the little star of *40 and R43 was "
                        "worth its price, for it has a quark; and that of *43 and A40 parts two "
                        "stars that would have been one."
                    ),
                    lit="*40 R43 *43 A40",
                    states="score = 11-10; winner = first",
                ),
            ),
        ),
        Chapter(
            title=_SIX,
            board="10",
            turns=_LARGE,
            source="inventor, ours",
            steps=(
                Step(
                    text=_(
                        "The tally of a game that R. Wayne Schmittberger showed, on a reconstructed"
                        " position. It is decided, though more than half of the cells are empty."
                    ),
                    states="ending = decided; stones = 125",
                ),
                Step(
                    text=_(
                        "The first player has six stars, which own 11, 7, 3, 2, 2 and 2 peries: 27 "
                        "together, and three quarks."
                    ),
                    lit="*00 *01 *03 *04 *05 *06 *07 S00 S01 S05 S06 S08 T01 T02 T04 T05 T09 A00 "
                    "A01 A02 A03 A04 A05 R02 R03 R06 R07",
                    states="stars first = 6; peries first = 27; quarks first = 3",
                ),
                Step(
                    text=_(
                        "The second player has five: 14, 3, 2, 2 and 2 make 23 peries, with two "
                        "quarks."
                    ),
                    lit="*02 *08 *09 S02 S03 S04 S07 S09 T00 T03 T06 T07 T08 A06 A07 A08 A09 R00 "
                    "R01 R04 R05 R08 R09",
                    states="stars second = 5; peries second = 23; quarks second = 2",
                ),
                Step(
                    text=_(
                        "27 + 1 - 2 = 26 and 23 + 2 = 25: 51 together. In one line: 28 - 23 - 4 = "
                        "+1. With one star more the first player would have lost."
                    ),
                    states="score = 26-25; winner = first",
                ),
            ),
        ),
    ),
    "star": (
        Chapter(
            title=_("Counted: 17-14"),
            board="5x6",
            turns=_HEXAGON,
            source="encyclopedia, ours",
            steps=(
                Step(
                    text=_(
                        "The encyclopedia keeps the count of a game on the board of 75 cells. Its "
                        "picture is lost; this position with the same stars is reconstructed."
                    ),
                    states="ending = decided",
                ),
                Step(
                    text=_(
                        "The first player has a star around half of the board with 18 border hexes,"
                        " and the lone corner J5 with three: 16 + 1 = 17 points."
                    ),
                    lit="A1 J9 J5",
                    states="stars first = 2; touches first = 21; hexes A1 = 18; hexes J5 = 3; "
                    "joined A1 J9 = yes",
                ),
                Step(
                    text=_(
                        "The second player has five stars, of 8, 6, 4, 3 and 3 border hexes. Each "
                        "pays two: 6 + 4 + 2 + 1 + 1 = 14."
                    ),
                    lit="J6 A5 F10 B1 J10",
                    states="stars second = 5; touches second = 24; hexes J6 = 8; hexes A5 = 6; "
                    "hexes F10 = 4; hexes B1 = 3; hexes J10 = 3",
                ),
                Step(
                    text=_(
                        "17-14. The second player touches more of the border, 24 hexes to 21, but "
                        "three stars more cost six points."
                    ),
                    states="score = 17-14; winner = first",
                ),
            ),
        ),
        Chapter(
            title=_("Counted again: 14-11 with two-point corners"),
            board="5x6",
            options="two-point-corners",
            turns=_HEXAGON,
            source="encyclopedia, ours",
            steps=(
                Step(
                    text=_(
                        "A single stone in a corner scores, which is cheap. The remedy takes away "
                        "the border hex beyond each corner, six in all: now J5 and J10 touch two "
                        "and are no stars."
                    ),
                    lit="J5 J10",
                    states="hexes J5 = 2; hexes J10 = 2; stars first = 1; stars second = 4",
                ),
                Step(
                    text=_(
                        "The first player's star has 16 border hexes and scores 14. The second "
                        "player's have 8, 5, 3 and 3: 6 + 3 + 1 + 1 = 11. The sum is 25 in place "
                        "of 31."
                    ),
                    states="score = 14-11; hexes A1 = 16; hexes J6 = 8; hexes A5 = 5; hexes F10 = "
                    "3; hexes B1 = 3",
                ),
            ),
        ),
    ),
}
