"""*Star: scores, decided results, and the theorems behind the bounds."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.boards.chains import chains
from games.rules.conditions import Conditions, Handicap
from games.rules.errors import RecordError
from games.rules.families.placement import handicap_cells
from games.rules.outcome import Termination
from games.rules.records.replay import play_turns
from games.rules.scoring.peries import StarTally, alternative_score, standard_score, star_board
from games.rules.seat import Seat
from games.rules.star_star import STAR_STAR


def conditions(board="4", **others):
    return Conditions(game="star-star", board=board, **others)


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        pytest.param(StarTally(7, 2, 1), StarTally(13, 3, 3), (11, 10), id="diagram A"),
        pytest.param(StarTally(11, 2, 3), StarTally(9, 3, 3), (11, 10), id="diagram B"),
        pytest.param(StarTally(27, 3, 6), StarTally(23, 2, 5), (26, 25), id="the 26-25 game"),
    ],
)
def test_golden_tallies(first, second, score):
    assert (standard_score(first, second), standard_score(second, first)) == score
    assert alternative_score(first, second) == score[0] - score[1]


NOTHING = StarTally(0, 0, 0)


def mask(board, names):
    return sum(board.bits[name] for name in names.split())


def survey(board, first, second):
    """Return the tallies of both seats, and the bounds of their scores."""
    own, other = board.chains_of(first), board.chains_of(second)
    tallies = board.detail(own, other), board.detail(other, own)
    return *(StarTally(**tally) for tally in tallies), board.bounds(own, other)


@pytest.mark.parametrize(
    ("stones", "stars", "sparks"),
    [
        pytest.param("S40 S41", 1, 0, id="two rim cells side by side"),
        pytest.param("S40 S30 S31 S42 S43", 1, 0, id="an inner chain connects rim cells"),
        pytest.param("S42", 0, 1, id="a single stone"),
        pytest.param("S10 S20 S30 S40 A10 A20 A30 A40", 1, 0, id="the bridge connects"),
        pytest.param("S20 S30 S40 A10 A20 A30 A40", 0, 2, id="one stone from the bridge"),
        pytest.param("S10 S20 T10 A31", 0, 0, id="no rim cell"),
    ],
)
def test_stars_and_sparks(stones, stars, sparks):
    board = star_board(4, bridge=True)
    found = board.chains_of(mask(board, stones))

    assert (found.stars, found.other_border.bit_count()) == (stars, sparks)


def test_without_a_bridge_ring_one_is_an_ordinary_ring():
    board = star_board(4, bridge=False)
    stones = "S10 S20 S30 S40 A10 A20 A30 A40"

    assert board.chains_of(mask(board, stones)).stars == 0
    assert board.chains_of(mask(board, stones + " C")).stars == 1


@pytest.mark.parametrize(
    ("first", "second", "tallies"),
    [
        pytest.param("S43 T41 T30", "T40", (StarTally(3, 1, 1), NOTHING), id="a spark"),
        pytest.param("S43 T41 T30", "", (StarTally(3, 1, 1), NOTHING), id="an empty corner"),
        pytest.param("S43 T30 S42", "T40", (StarTally(2, 0, 1), NOTHING), id="open on one side"),
        pytest.param("S43 T30", "T40", (NOTHING, NOTHING), id="two sparks"),
        pytest.param("*41 *31 *32 *43", "A40", (StarTally(3, 0, 1), NOTHING), id="inside a side"),
        pytest.param("S40 S30 S31 S32 S43", "", (StarTally(4, 1, 1), NOTHING), id="two cells"),
        pytest.param(
            "S40 S30 S31 S32 S43", "S41", (StarTally(4, 1, 1), NOTHING), id="a spark and a cell"
        ),
        pytest.param(
            "S40 S30 S31 S32 S43",
            "S41 S42",
            (StarTally(2, 1, 1), StarTally(2, 0, 1)),
            id="a star between",
        ),
        pytest.param(
            "S40 S30 S31 S32 T30 T41", "", (StarTally(2, 1, 1), NOTHING), id="room for a star"
        ),
        pytest.param(
            "S40 S41 S43 T40", "S42", (StarTally(5, 2, 2), NOTHING), id="a spark between two stars"
        ),
        pytest.param(
            "S40 S41 S43 T40", "", (StarTally(4, 2, 2), NOTHING), id="a cell between two stars"
        ),
    ],
)
def test_a_star_owns_the_peries_that_it_surrounds(first, second, tallies):
    board = star_board(4, bridge=True)

    assert survey(board, mask(board, first), mask(board, second))[:2] == tallies


@pytest.mark.parametrize(
    ("bridge", "tally"), [(True, StarTally(10, 5, 1)), (False, StarTally(8, 4, 2))]
)
def test_the_bridge_connects_two_cells_that_a_star_leaves_open(bridge, tally):
    """A star of the opponent on S20 and R21, over the bridge, would gain nothing."""
    board = star_board(2, bridge=bridge)
    stones = mask(board, "*10 A10 *20 *21 S21 T20 T21 A21 R20")

    assert survey(board, stones, mask(board, "S10"))[0] == tally


BOARDS = st.sampled_from([2, 4, 6, 8, 10])


@st.composite
def partial_boards(draw, *, full=False):
    """Return a board with random stones of both seats, as sets of cells."""
    board = star_board(draw(BOARDS), bridge=draw(st.booleans()))
    source = draw(st.randoms(use_true_random=False))
    owners = source.choices((0, 1) if full else (0, 1, 2), k=len(board.names))
    return (board, *(sum(1 << cell for cell, o in enumerate(owners) if o == who) for who in (0, 1)))


@given(partial_boards(full=True))
def test_both_scores_of_a_full_board_add_up_to_an_odd_number(case):
    board, first, second = case
    own, other, bounds = survey(board, first, second)
    scores = [least for least, _ in bounds]

    assert sum(scores) == 5 * board.mesh.rings + 1
    assert alternative_score(own, other) == scores[0] - scores[1] != 0
    assert own.peries + other.peries == 5 * board.mesh.rings
    assert own.quarks + other.quarks == 5


def owned_by_regions(board, own, other):
    """Return the rim cells that the stars of `own` have, surround, or have on both sides."""
    rim = board.mesh.rim_cells
    mine, others = board.star_chains(own), sum(board.star_chains(other))
    stars = sum(mine)
    owned = stars & rim
    for star in mine:
        for region in chains(board.cells & ~star, board.neighbours):
            if (region & rim).bit_count() <= 2 and not region & others:
                owned |= region & rim
    ring = board.mesh.rim
    for before, cell, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True):
        if other & ~others & 1 << cell and stars >> before & stars >> after & 1:
            owned |= 1 << cell
    return owned


@given(partial_boards())
def test_a_star_surrounds_one_or_two_edge_cells_that_it_cuts_off(case):
    board, first, second = case
    found = [
        board.owned(*map(board.chains_of, pair)) for pair in ((first, second), (second, first))
    ]

    assert [board.cells_at(owned) for owned in found] == [
        owned_by_regions(board, first, second),
        owned_by_regions(board, second, first),
    ]


@given(partial_boards(full=True), st.randoms(use_true_random=False))
def test_the_counts_add_up_to_the_score_as_soon_as_it_is_decided(case, source):
    board, first, second = case
    cells = list(range(len(board.names)))
    source.shuffle(cells)
    placed, decided = 0, 0
    for cell in cells:
        placed |= 1 << cell
        own, other, bounds = survey(board, first & placed, second & placed)
        (least, most), (second_least, _) = bounds
        if least == most:
            decided += 1
            assert (standard_score(own, other), standard_score(other, own)) == (least, second_least)

    assert decided


@pytest.mark.parametrize("seed", range(6))
def test_the_two_fills_are_the_extremes_of_all_endings(seed):
    board = star_board(4, bridge=True)
    cells = list(range(50))
    random.Random(seed).shuffle(cells)
    open_cells, stones = cells[:9], cells[9:]
    first = sum(1 << cell for cell in stones[::2])
    second = sum(1 << cell for cell in stones[1::2])
    endings = []
    for owners in product((True, False), repeat=len(open_cells)):
        taken = sum(1 << cell for cell, own in zip(open_cells, owners, strict=True) if own)
        rest = sum(1 << cell for cell in open_cells) ^ taken
        endings.append(survey(board, first | taken, second | rest)[2][0][0])

    assert survey(board, first, second)[2][0] == (min(endings), max(endings))


@pytest.mark.parametrize(
    ("rings", "cells"),
    [
        (10, "S60 A60 *60 T60 R60 S30 A30 *30 T30 R30"),
        (8, "S50 A50 *50 T50 R50 S30 A30 *30 T30 R30"),
        (6, "S40 A40 *40 T40 R40 S20 A20 *20 T20 R20"),
        (4, "S30 A30 *30 T30 R30 S20 A20 *20 T20 R20"),
    ],
)
def test_cells_of_handicap_stones(rings, cells):
    assert handicap_cells(rings, 10) == tuple(cells.split())


def test_handicap_stones_are_placed_before_play_and_the_other_seat_moves_first():
    stones = Handicap(Seat.SECOND, stones=3)
    position = STAR_STAR.start(conditions("10", swap=False, handicap=stones))

    assert position.second == mask(position.board, "S60 A60 *60")
    assert (position.first, position.to_move, position.plies) == (0, Seat.FIRST, 0)


def test_a_swap_only_exchanges_the_seats():
    position = play_turns(STAR_STAR.start(conditions()), ["S30", "swap", "A40"])

    assert position.second == mask(position.board, "S30")
    assert position.first == mask(position.board, "A40")
    assert position.to_move is Seat.SECOND


def random_words(source, length):
    """Return turns: mostly different cells, sometimes an illegal word."""
    names = sorted(star_board(4, bridge=True).names)
    words = source.sample(names, min(length, len(names)))
    if source.random() < 0.5:
        words[1:1] = ["swap"]
    if words and source.random() < 0.3:
        odd = [*names, "swap", "pass", "C", "S77", "resign", "S6"]
        words[source.randrange(len(words))] = source.choice(odd)
    return words


@given(st.randoms(use_true_random=False), st.integers(0, 60), st.sampled_from([0, 1, 7]))
def test_playing_all_turns_at_once_and_one_by_one_is_equal(source, length, stones):
    handicap = Handicap(Seat.SECOND, stones=stones) if stones else None
    game = conditions(swap=handicap is None, handicap=handicap)
    words = random_words(source, length)
    try:
        played = play_turns(STAR_STAR.start(game), words)
    except RecordError:
        played = None

    assert STAR_STAR.start(game).play_all(words) == played


def test_play_continues_after_the_score_is_decided_until_the_board_is_full():
    source = random.Random(1)
    position = STAR_STAR.start(conditions())
    seen = []
    while not position.is_over:
        position = position.play(source.choice(list(position.legal_moves())))
        seen.append(position.outcome().termination)

    assert seen[-1] is Termination.FULL
    assert Termination.DECIDED in seen
    first_decided = seen.index(Termination.DECIDED)
    assert set(seen[:first_decided]) == {None}
    assert set(seen[first_decided:-1]) == {Termination.DECIDED}
