"""The lessons of the connection games, on boards as small as they can be."""

from __future__ import annotations

from games.rules.lessons.lesson import GAME, Chapter, Lessons, Step, alternate, ten_questions
from games.rules.messages import gettext_noop as _

_STAR_Y_ROW = alternate("S40 S41 S42 S43 T40", "A20 *20 R20 T20")
_STAR_Y_WIN = alternate("C S20 A10 S30 A21 S40 A31 S10 A42", "T20 T21 *21 *31 R20 S41 S31 T30")
_POLY_Y = alternate("C S20 A10 S30 A20 S40 A30 S10 A40", "T20 T21 *21 *31 R20 S41 S31 T30")
_POLY_Y_ROW = alternate("S40 S41 S42 S43 T40", "A20 *20 R20 T20")
_Y_WIN = alternate("b2 c2 c1 c3 a3", "b3 d1 b1 a4")
_Y_ROW = alternate("a1 a2 a3 a4", "b1 c2 b3")
_HEX_WIN = alternate("c3 c2 c4 c1 c5", "b2 d2 b4 d4")
_HEX_LOST = alternate("c4 d4 b1 e3 a5", "a3 b3 c2 d2 e1")
_HEX_CUT = alternate("c1 c2 c3 c5", "c4 b2 d4")
_HAVANNAH_BRIDGE = alternate("a1 a2 a3 a4", "c1 c3 c5")
_HAVANNAH_FORK = alternate("d4 c3 b3 a3 d5 e6 e7 d3 e3 e2", "b1 b5 g5 f7 c1 f4 b2 f6 d6")
_HAVANNAH_RING = alternate("c3 c4 d5 e5 e4 d3", "d4 a1 b5 g7 e2")
_TWIXT_WIN = alternate("c3 d5 e7 d1 g8", "b2 b5 f5 g4")
_TWIXT_BLOCKED = "c3 b4 f7 d3 d5"

CONNECTION_LESSONS: Lessons = {
    "star-y": (
        Chapter(
            title=GAME,
            board="4",
            source="booklet 21",
            steps=(
                Step(
                    text=_(
                        "Star Y is played on the board of *Star, and its middle, C, is an ordinary "
                        "cell. A turn is one stone, and the second player may swap the first. "
                        "Whoever makes the winning connection has won; there is no score."
                    ),
                    lit="C",
                    states="legal C = yes",
                ),
                Step(
                    text=_(
                        "The pentagon has five sides. A corner belongs to both its sides, so the "
                        "stone on S40 touches two, and the one on S42 touches one."
                    ),
                    turns="S40 A20 S42",
                    lit="S40 S42",
                    states="sides S40 = 2; sides S42 = 1; joined S40 S42 = no",
                ),
                Step(
                    text=_(
                        "The goal is a chain that touches two sides which meet at a corner, and the"
                        " one side that is next to neither. This chain starts at the corner S40 "
                        "and reaches A42, on the side opposite: it wins."
                    ),
                    turns=_STAR_Y_WIN,
                    lit="S40 A42",
                    states="winner = first; sides S40 = 3",
                ),
                Step(
                    text=_(
                        "Three sides in succession are not enough. The chain from S40 to T40 "
                        "touches three, but they are neighbours, and the game goes on."
                    ),
                    turns=_STAR_Y_ROW,
                    lit="S40 S41 S42 S43 T40",
                    states="winner = nobody; sides S40 = 3",
                ),
                Step(
                    text=_(
                        "When the board is full, exactly one player has such a chain. To stop the "
                        "opponent for good is therefore the same as to win."
                    ),
                    turns=_STAR_Y_WIN,
                    states="winner = first",
                ),
            ),
        ),
        ten_questions(
            "4",
            Step(asks="legal C = yes", turns="S20 A20"),
            Step(asks="legal C = no", turns="C A20"),
            Step(asks="turn = first", turns="C swap"),
            Step(asks="sides T40 = 2", turns="T40 A20"),
            Step(asks="sides T42 = 1", turns="T42 A20 T43"),
            Step(asks="joined S10 T10 = yes", turns="S10 A10 T10"),
            Step(asks="joined S10 A10 = no", turns="S10 T10 A10"),
            Step(asks="winner = nobody", turns=_STAR_Y_ROW),
            Step(asks="wins R10 = no", turns=_STAR_Y_ROW + " R21"),
            Step(asks="wins A42 = yes", turns=_STAR_Y_WIN.removesuffix(" A42")),
        ),
    ),
    "poly-y": (
        Chapter(
            title=GAME,
            board="4",
            source="inventor, encyclopedia",
            steps=(
                Step(
                    text=_(
                        "Poly-Y is about the five corners. Who owns three of them has won. A turn "
                        "is one stone, and the second player may swap the first. The middle, C, is "
                        "an ordinary cell."
                    ),
                    lit="*40 S40 T40 A40 R40",
                    states="legal C = yes; corners first = 0",
                ),
                Step(
                    text=_(
                        "A stone in a corner does not own it. S40 touches both sides that meet "
                        "there, but a chain must also touch a third side, any one."
                    ),
                    turns="S40 A20 S30",
                    lit="S40",
                    states="sides S40 = 2; corner S40 = nobody",
                ),
                Step(
                    text=_(
                        "This chain along a side touches three sides, and with them both corners at"
                        " its ends: S40 and T40 are the first player's."
                    ),
                    turns=_POLY_Y_ROW,
                    lit="S40 T40",
                    states="corners first = 2; corner S40 = first; corner T40 = first; winner = "
                    "nobody",
                ),
                Step(
                    text=_(
                        "A corner may be owned from afar. This chain from S40 to A40 touches four "
                        "sides, among them both at T40, so it owns that corner too. Three of five: "
                        "it wins."
                    ),
                    turns=_POLY_Y,
                    lit="S40 T40 A40",
                    states="corners first = 3; corner T40 = first; winner = first",
                ),
                Step(
                    text=_(
                        "On a full board every corner has exactly one owner, so there are no draws."
                        " The inventor liked a board with nine sides best, where five corners win."
                    ),
                    turns=_POLY_Y,
                    states="winner = first",
                ),
            ),
        ),
        ten_questions(
            "4",
            Step(asks="legal C = yes", turns="S20 A20"),
            Step(asks="legal S20 = no", turns="S20 A20"),
            Step(asks="turn = first", turns="C swap"),
            Step(asks="sides A40 = 2", turns="A40 T20"),
            Step(asks="corner A40 = nobody", turns="A40 T20"),
            Step(asks="joined C R10 = yes", turns="C T20 R10"),
            Step(asks="corners first = 2", turns=_POLY_Y_ROW),
            Step(asks="corner A40 = nobody", turns=_POLY_Y_ROW),
            Step(asks="wins A40 = yes", turns=_POLY_Y.removesuffix(" A40")),
            Step(asks="winner = nobody", turns=_POLY_Y_ROW + " R21 R10 S10"),
        ),
    ),
    "y": (
        Chapter(
            title=GAME,
            board="5",
            source="public, encyclopedia",
            steps=(
                Step(
                    text=_(
                        "Y is Poly-Y with three sides, and its rule is one sentence: a chain that "
                        "touches all three sides wins."
                    )
                ),
                Step(
                    text=_(
                        "A turn is one stone on an empty cell. After the first stone the second "
                        "player may swap it."
                    ),
                    turns="b2",
                    lit="b2",
                    states="legal swap = yes; turn = second",
                ),
                Step(
                    text=_("A corner belongs to both its sides: the stone on a1 touches two."),
                    turns="a1 c2",
                    lit="a1",
                    states="sides a1 = 2",
                ),
                Step(
                    text=_(
                        "From b2 and c2 this chain reaches a side at a3, one at c1 and one at c3. "
                        "Drawn in lines, that is the letter Y."
                    ),
                    turns=_Y_WIN,
                    lit="a3 c1 c3",
                    states="sides b2 = 3; winner = first",
                ),
                Step(
                    text=_(
                        "A full board has exactly one such chain: there are no draws. The usual "
                        "board is not this triangle but a curved one of 93 cells."
                    ),
                    turns=_Y_WIN,
                    states="winner = first",
                ),
            ),
        ),
        ten_questions(
            "5",
            Step(asks="legal b2 = no", turns="b2"),
            Step(asks="turn = first", turns="b2 swap"),
            Step(asks="legal swap = no", turns="b2 c2"),
            Step(asks="sides e1 = 2", turns="e1 b2"),
            Step(asks="sides b2 = 0", turns="b2 c2"),
            Step(asks="joined b2 c1 = yes", turns="b2 c2 c1"),
            Step(asks="joined a1 b2 = no", turns="a1 c2 b2"),
            Step(asks="wins a5 = yes", turns=_Y_ROW + " c1"),
            Step(asks="winner = nobody", turns=_Y_ROW),
            Step(asks="winner = first", turns=_Y_WIN),
        ),
    ),
    "hex": (
        Chapter(
            title=GAME,
            board="5",
            source="public, inventor",
            steps=(
                Step(
                    text=_(
                        "Hex is the eldest of the family. The first player's stones join the upper "
                        "and the lower side, the second player's the left and the right."
                    )
                ),
                Step(
                    text=_(
                        "A turn is one stone on an empty cell. The second player may swap the first"
                        " stone. Its sides go with it: the other player then joins the other two."
                    ),
                    turns="c3 swap",
                    lit="c3",
                    states="turn = first; size c3 = 1",
                ),
                Step(
                    text=_(
                        "Every cell has six neighbours, fewer at the edge. Those of c3 are marked; "
                        "b2 and d4 are none, though they look near."
                    ),
                    turns="c3 b2 d4",
                    lit="b3 b4 c2 c4 d2 d3",
                    states="joined c3 d4 = no",
                ),
                Step(
                    text=_("A chain from side to side wins, here from c1 to c5."),
                    turns=_HEX_WIN,
                    lit="c1 c5",
                    states="winner = first; sides c3 = 2",
                ),
                Step(
                    text=_(
                        "A stone on c4 cuts the line. Whoever stops the other for good has joined "
                        "their own sides by it, so one of the two always wins."
                    ),
                    turns=_HEX_CUT,
                    lit="c4",
                    states="winner = nobody",
                ),
            ),
        ),
        ten_questions(
            "5",
            Step(asks="legal swap = yes", turns="c3"),
            Step(asks="legal swap = no", turns="c3 b3"),
            Step(asks="legal c3 = no", turns="c3"),
            Step(asks="turn = first", turns="c3 swap"),
            Step(asks="joined b4 c3 = yes", turns="c3 a1 b4"),
            Step(asks="joined c3 d4 = no", turns="c3 a1 d4"),
            Step(asks="sides c3 = 1", turns="c3 a1 c2 a2 c1"),
            Step(asks="wins c5 = yes", turns=_HEX_WIN.removesuffix(" c5")),
            Step(asks="winner = second", turns=_HEX_LOST),
            Step(asks="winner = nobody", turns=_HEX_CUT),
        ),
    ),
    "havannah": (
        Chapter(
            title=GAME,
            board="4",
            source="public",
            steps=(
                Step(
                    text=_(
                        "Havannah has three ways to win: a bridge, a fork or a ring. Whoever makes "
                        "one of them first wins. A turn is one stone on an empty cell, and the "
                        "second player may swap the first."
                    )
                ),
                Step(
                    text=_("A bridge is a chain between two of the six corners, as from a1 to a4."),
                    turns=_HAVANNAH_BRIDGE,
                    lit="a1 a4",
                    states="winner = first",
                ),
                Step(
                    text=_(
                        "A fork joins three sides, here at a3, e7 and e2. Corners belong to no "
                        "side."
                    ),
                    turns=_HAVANNAH_FORK,
                    lit="a3 e7 e2",
                    states="winner = first; sides d4 = 3",
                ),
                Step(
                    text=_(
                        "A ring is a chain around at least one cell, whatever is on it: here it is "
                        "the second player's stone on d4."
                    ),
                    turns=_HAVANNAH_RING,
                    lit="d4",
                    states="winner = first",
                ),
                Step(
                    text=_(
                        "If the board fills up without any of them, the game is a draw. That hardly"
                        " ever happens: while you stop one shape, the next one threatens."
                    ),
                    turns=_HAVANNAH_RING,
                    states="winner = first",
                ),
            ),
        ),
        ten_questions(
            "4",
            Step(asks="legal swap = yes", turns="d4"),
            Step(asks="legal pass = no", turns="d4"),
            Step(asks="turn = first", turns="d4 swap"),
            Step(asks="sides a1 = 0", turns="a1 d4"),
            Step(asks="sides a2 = 1", turns="a2 d4"),
            Step(asks="joined d4 c3 = yes", turns="d4 a1 c3"),
            Step(asks="wins a4 = yes", turns=_HAVANNAH_BRIDGE.removesuffix(" a4")),
            Step(asks="wins d3 = yes", turns=_HAVANNAH_RING.removesuffix(" d3")),
            Step(asks="winner = nobody", turns=_HAVANNAH_RING.removesuffix(" d3")),
            Step(asks="winner = first", turns=_HAVANNAH_FORK),
        ),
    ),
    "twixt": (
        Chapter(
            title=GAME,
            board="8",
            source="public",
            steps=(
                Step(
                    text=_(
                        "TwixT joins pegs by links. The first player's chain must lead from the "
                        "upper to the lower border, the second player's from the left to the "
                        "right. Nobody places a peg behind the other's borders."
                    ),
                    states="legal a3 = no; legal c1 = yes",
                ),
                Step(
                    text=_(
                        "Two pegs a knight's move apart are linked at once: c3 with d5, two points "
                        "down and one to the side."
                    ),
                    turns="c3 g4 d5",
                    lit="c3 d5",
                    states="links first = 1; joined c3 d5 = yes",
                ),
                Step(
                    text=_(
                        "Links of the two players do not cross. Here the second player's link from "
                        "b4 to d3 was first, so c3 and d5 stay apart."
                    ),
                    turns=_TWIXT_BLOCKED,
                    lit="c3 d5 b4 d3",
                    states="joined c3 d5 = no; links second = 1",
                ),
                Step(
                    text=_("A chain of links from d1, in the first row, to g8, in the last, wins."),
                    turns=_TWIXT_WIN,
                    lit="d1 g8",
                    states="winner = first; links first = 4",
                ),
                Step(
                    text=_(
                        "The second player may swap the first peg, and its borders go with it. By "
                        "the rules for paper own links may cross, none is taken away, and who has "
                        "no place left for a peg has a draw. The usual board has 24 points a side."
                    ),
                    turns=_TWIXT_WIN,
                    states="winner = first",
                ),
            ),
        ),
        ten_questions(
            "8",
            Step(asks="legal a3 = no"),
            Step(asks="legal c1 = yes"),
            Step(asks="legal a3 = yes", turns="c3"),
            Step(asks="turn = first", turns="c3 swap"),
            Step(asks="joined c3 d5 = yes", turns="c3 g4 d5"),
            Step(asks="joined c3 d4 = no", turns="c3 g4 d4"),
            Step(asks="joined c3 d5 = no", turns=_TWIXT_BLOCKED),
            Step(asks="links first = 2", turns="c3 g4 d5 g6 e3"),
            Step(asks="wins g8 = yes", turns=_TWIXT_WIN.removesuffix(" g8")),
            Step(asks="winner = nobody", turns=_TWIXT_WIN.removesuffix(" g8")),
        ),
    ),
}
