"""What is said about all the games: why the first player wins, handicaps, history, words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.rules.messages import Say
from games.rules.messages import gettext_noop as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Paragraphs, then a list, with their sources as chapters of lessons have them."""

    key: str
    title: str
    source: str
    paragraphs: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word of the games; `forms` are the words that texts link to it, separated by commas."""

    key: str
    name: str
    forms: str = ""
    meaning: str
    source: str


SECTIONS = (
    Section(
        key="first",
        title=_("Why the first player wins"),
        source="booklet 17, inventor, ours",
        paragraphs=(
            _(
                "In *Star, Star Y, Poly-Y, Y and Hex one of the players must win, and a stone more "
                "never harms its owner. Suppose the second player had a way to win against "
                "everything. Then the first player could begin anywhere, forget that stone, and "
                "use the same way as if they were second; where it tells them to play on the "
                "forgotten stone, any other cell will do. Both cannot win, so the second player "
                "has no such way, and the first has one."
            ),
            _(
                "That tells nobody what it is. On boards of a usual size nobody knows, and players "
                "make many mistakes on both sides."
            ),
        ),
    ),
    Section(
        key="pie",
        title=_("What the pie rule does about it"),
        source="booklet 17, inventor, encyclopedia",
        paragraphs=(
            _(
                "First stones differ: some are strong enough to win, others so weak that they lose."
                " With the pie rule one player cuts and the other chooses, as with a cake: the "
                "first places a stone, and the second takes it over or lets it be. A strong stone "
                "would be taken, a weak one left; so the first player looks for one in between."
            ),
            _(
                "Who chooses right could win, but only just, and it is hard to tell: a good cut "
                "is also a trap."
            ),
        ),
    ),
    Section(
        key="handicaps",
        title=_("Handicaps"),
        source="booklet 3 17, inventor",
        paragraphs=(
            _(
                "The game is best when both players see some of their plans work and some fail. If "
                "one is much stronger, the other gets points: as many are added to the one score "
                "as are taken from the other, so the sum stays odd. Or stones before the first "
                "turn: S60, A60, *60, T60, R60, then S30, A30, *30, T30, R30 on the tournament "
                "board. The booklet calls this order reasonable, not proven."
            ),
            _(
                "Between players who are nearly equal, the weaker one begins without the pie rule; "
                "between equals it is played with it, or they take turns to begin. If the gap is "
                "very large, the stronger player may give advice besides. And beginners start on a "
                "small board."
            ),
        ),
    ),
    Section(
        key="proverbs",
        title=_("Proverbs"),
        source="booklet 8-16, inventor, ours",
        items=(
            _("Fewer stars can beat more peries."),
            _(
                "A star of two peries without a quark is no gain, unless it parts two of the "
                "other's."
            ),
            _("Neither the middle nor the edge alone wins: each is worth what it joins."),
            _("To stop the other is to win."),
            _("Look at the threats against you before you enjoy your own."),
            _("Play where both threats meet: be relevant."),
            _("Of two moves that do the same, take the one that does a little more."),
            _("Two threats with one stone cannot both be stopped."),
            _("Leave a chase while it can still be turned to use."),
        ),
    ),
    Section(
        key="history",
        title=_("History"),
        source="booklet 3 19 22-25, inventor, encyclopedia",
        paragraphs=(
            _(
                "The line goes from Hex over Y, Poly-Y and Star to *Star. Craige Schensted, who "
                "later called himself Ea Ea, and Charles Titus made Poly-Y in the 1970s and found "
                "it best with nine sides: the more corners, the shorter the sides."
            ),
            _(
                "Star came in the early 1980s, when R. Wayne Schmittberger asked for it for a "
                "magazine. Trials with Irene Schensted brought a reward for joining, against "
                "ties. In *Star that reward is twice as large, and in Poly-Y there is none."
            ),
            _(
                "Mark Thompson wanted *Star for tournaments; Mariah Williams and Schmittberger "
                "helped, Irene Schensted edited the booklet, and Kate Jones of Kadon designed the "
                "set, which was planned for 2001. She adapted Penta-Line and made Penta-Hex."
            ),
        ),
    ),
)

REFERENCES = (
    "*Star, the booklet of the set, Kadon Enterprises",
    "Games, September 1983, page 51",
    "R. Wayne Schmittberger: Making Connections. Games, June 2000, page 10",
    "Craige Schensted, Charles Titus: Mudcrack Y and Poly-Y. NEO Press, Peaks Island",
    "Ea Ea: the page of *Star, 4 September 2001",
    "Star (board game), World Heritage Encyclopedia, and Wikipedia, with Eric Silverman's articles "
    "of 22 February 2020 and 12 February 2021",
)

GLOSSARY = (
    Term(
        key="chain",
        name=_("chain"),
        forms=_("chain, chains"),
        meaning=_("Stones of one colour that hang together from neighbour to neighbour."),
        source="ours",
    ),
    Term(
        key="peri",
        name=_("peri"),
        forms=_("peri, peries"),
        meaning=_("The point in a cell at the edge of *Star. The cell itself is a pericell."),
        source="booklet 4, inventor",
    ),
    Term(
        key="star",
        name=_("star"),
        forms=_("star, stars"),
        meaning=_(
            "In *Star a chain that owns two or more peries; in Star one that touches three or more "
            "border hexes."
        ),
        source="booklet 4, encyclopedia",
    ),
    Term(
        key="spark",
        name=_("spark"),
        forms=_("spark, sparks"),
        meaning=_("A chain with one edge cell. Its peri belongs to the star around it."),
        source="booklet 4, inventor",
    ),
    Term(
        key="quark",
        name=_("quark"),
        forms=_("quark, quarks"),
        meaning=_("The extra of a corner: three or more of the five are worth one point."),
        source="booklet 5, inventor",
    ),
    Term(
        key="bridge",
        name=_("bridge"),
        forms=_("bridge"),
        meaning=_(
            "The star in the middle of the board of *Star, which joins its neighbours for both "
            "players. In Havannah, a chain between two corners; in Hex, two stones with two common "
            "neighbours."
        ),
        source="booklet 4, public",
    ),
    Term(
        key="reward",
        name=_("reward"),
        forms=_("reward"),
        meaning=_(
            "Two points for each star fewer than the opponent, who loses as many. The booklet says "
            "award. REWARD, in capitals, is the difference of both, four for each star."
        ),
        source="booklet 5, inventor",
    ),
    Term(
        key="hex",
        name=_("border hex"),
        forms=_("border hex, border hexes"),
        meaning=_("A cell around the board of Star that is not played on and only counts."),
        source="encyclopedia",
    ),
    Term(
        key="ring",
        name=_("ring, ray, sector"),
        forms=_("ray, rays"),
        meaning=_(
            "A ring has all cells at one distance from the middle, a ray leads from the middle to a"
            " corner, and a sector is the fifth of the board between two rays."
        ),
        source="booklet 20, inventor",
    ),
    Term(
        key="pair",
        name=_("pair"),
        forms=_("pair, pairs"),
        meaning=_(
            "Two cells of which one is enough: the booklet's two-way stretch. To answer in pairs "
            "only is the pairing strategy."
        ),
        source="booklet 9-10",
    ),
    Term(
        key="chase",
        name=_("chase"),
        forms=_("chase"),
        meaning=_(
            "A series of single threats, each answered. Players of Hex say ladder, and a stone that"
            " ends it well is a ladder escape."
        ),
        source="booklet 13-16",
    ),
    Term(
        key="swap",
        name=_("swap, pie rule"),
        forms=_("swap, pie rule"),
        meaning=_("The second player may take over the first stone in place of the first turn."),
        source="booklet 17, inventor",
    ),
    Term(
        key="komi",
        name=_("komi"),
        meaning=_("The points that even out who begins, or the strength, as in Go."),
        source="inventor",
    ),
    Term(
        key="pentahex",
        name=_("pentahex"),
        forms=_("pentahex, pentahexes"),
        meaning=_("A group of exactly five stones that hang together; there are 22 shapes."),
        source="booklet 24-25",
    ),
)


def link_terms(html: str, say: Say) -> str:
    """Return escaped text in which the first use of each term is a link to the glossary."""
    keys = {
        form: term.key for term in GLOSSARY if term.forms for form in say(term.forms).split(", ")
    }
    longest_first = sorted(keys, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w*])({'|'.join(map(re.escape, longest_first))})(?![\w-])")
    linked: set[str] = set()

    def link(found: re.Match[str]) -> str:
        key = keys[found[0]]
        if key in linked:
            return found[0]
        linked.add(key)
        return f'<a class="term" href="/learn#{key}">{found[0]}</a>'

    return pattern.sub(link, html)
