"""What every game keeps, by being in GAMES: a new game needs no line here."""

import json
import random

import pytest

from games.rules import GAMES, find_game
from games.rules.conditions import HandicapKind
from games.rules.errors import Code, IllegalMove, RecordError, UnknownGame
from games.rules.families.movement import Movement
from games.rules.position import PASS, SWAP
from games.rules.records.record import Record
from games.rules.records.replay import play_turns
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat
from games.rules.text_picture import parse_position

MOST_PLIES = 600
MOST_MOVES = 12
"""Games of moving need not end and have very many turns: they are played for a while."""

every_game = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
every_board = pytest.mark.parametrize(
    ("rules", "board"),
    [
        pytest.param(rules, board, id=f"{rules.code}-{board}")
        for rules in GAMES.values()
        for board in dict.fromkeys((rules.boards[0], rules.boards[-1]))
    ],
)


def terms_of(rules, board, **tags):
    return read_conditions({"Game": rules.code, "Board": board, **tags})


def random_game(rules, terms, seed, most_plies=MOST_PLIES):
    """Play at random, passing only where nothing else is left; return turns and positions."""
    chance = random.Random(seed)
    turns, positions = [], [rules.start(terms)]
    if isinstance(positions[0], Movement):
        most_plies = min(most_plies, MOST_MOVES)
    while not positions[-1].is_over and len(turns) < most_plies:
        moves = list(positions[-1].legal_moves())
        if SWAP in moves and chance.random() < 0.5:
            moves = [SWAP]
        turns.append(chance.choice([move for move in moves if move != PASS] or moves))
        positions.append(positions[-1].play(turns[-1]))
    return turns, positions


@every_game
def test_a_game_tells_about_itself(rules):
    assert GAMES[rules.code] is rules is find_game(rules.code)
    for text in (rules.name, rules.board_form, rules.notation, rules.summary, rules.source):
        assert text == text.strip() != ""
    for board in rules.boards:
        assert rules.find_board(board) == board


def test_an_unknown_game_lists_all():
    with pytest.raises(UnknownGame) as caught:
        find_game("chess")

    assert all(code in caught.value.detail for code in GAMES)


@every_game
@pytest.mark.parametrize("board", ["", "0", "-4", "ten", "1000000", "9x", "x", "10 ", "١٠", "1e1"])
def test_no_board_of_nonsense(rules, board):
    assert rules.find_board(board) is None


@every_board
def test_random_play_keeps_the_rules_of_positions(rules, board):
    turns, positions = random_game(rules, terms_of(rules, board), seed=1)

    for plies, position in enumerate(positions):
        assert position.plies == plies
        outcome = position.outcome()
        assert outcome.winner is None or not outcome.draw
        if position.is_over:
            assert outcome.termination is not None
    if rules.players == 2:
        seats = [position.to_move for position in positions]
        assert seats == [Seat.SECOND if plies % 2 else Seat.FIRST for plies in range(len(seats))]
    assert play_turns(positions[0], turns) == positions[-1]
    assert positions[0].play_all(turns) in (None, positions[-1])


@every_board
def test_what_is_not_legal_is_refused(rules, board):
    chance = random.Random(2)
    _, positions = random_game(rules, terms_of(rules, board), seed=2, most_plies=60)
    words = sorted(positions[0].board.names)

    for position in positions[:: max(1, len(positions) // 12)]:
        legal = set(position.legal_moves())
        assert bool(legal) is not position.is_over
        for word in ["", "XX", SWAP, PASS, *chance.sample(words, min(len(words), 60))]:
            if word in legal:
                assert position.play(word).plies == position.plies + 1
            else:
                with pytest.raises(IllegalMove):
                    position.play(word)


@every_board
def test_after_the_end_nothing_is_played(rules, board):
    _, positions = random_game(rules, terms_of(rules, board), seed=3)
    if not positions[-1].is_over:
        pytest.skip("this game need not end")

    assert list(positions[-1].legal_moves()) == []
    for word in (SWAP, PASS, "XX", *sorted(positions[0].board.names)[:5]):
        with pytest.raises(IllegalMove) as caught:
            positions[-1].play(word)
        assert caught.value.code is Code.AFTER_END


@every_board
def test_a_random_game_is_the_same_in_text_and_json(rules, board):
    terms = terms_of(rules, board)
    turns, _ = random_game(rules, terms, seed=4)
    record = Record(conditions=terms, moves=tuple(turns), tags={"First": "Ada"})
    verdict = judge(record)

    assert verdict.errors == ()
    assert verdict.plies == len(turns)
    assert Record.parse(str(record)) == record
    assert Record.from_json(json.loads(json.dumps(record.as_json()))) == record
    assert judge(record.as_json()).digest == verdict.digest


@every_board
def test_a_picture_shows_all_that_matters(rules, board):
    turns, positions = random_game(rules, terms_of(rules, board), seed=6)
    step = max(1, len(positions) // 12)

    for position in (*positions[::step], positions[-1]):
        assert parse_position(str(position)) == position
    seen = parse_position(str(positions[len(turns) // 2]))
    assert play_turns(seen, turns[len(turns) // 2 :]).outcome() == positions[-1].outcome()


@every_game
@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda _: "", id="nothing"),
        pytest.param(lambda text: text.replace("ply 0", "ply x"), id="no number"),
        pytest.param(lambda text: text.replace("ply 0", "ply -1"), id="below zero"),
        pytest.param(lambda text: text.replace("ply 0\n", ""), id="no ply"),
        pytest.param(lambda text: text.rsplit("\n", 2)[0], id="a line short"),
        pytest.param(lambda text: text.rstrip() + ".", id="a cell more"),
        pytest.param(lambda text: text.rstrip()[:-1] + "?", id="an unknown sign"),
        pytest.param(lambda text: text.partition("\n\n")[2], id="no tags"),
    ],
)
def test_what_is_no_picture_is_refused(rules, spoil):
    picture = str(rules.start(terms_of(rules, rules.boards[0])))

    with pytest.raises(RecordError):
        parse_position(spoil(picture))


@every_game
def test_turns_are_read_in_either_case(rules):
    terms = terms_of(rules, rules.boards[0])
    turns, _ = random_game(rules, terms, seed=5, most_plies=30)
    plain = Record(conditions=terms, moves=tuple(turns))
    shouted, whispered = (
        Record.from_json({**plain.as_json(), "moves": [change(turn) for turn in turns]})
        for change in (str.upper, str.lower)
    )

    assert shouted == whispered == plain


@every_game
def test_swap_hands_the_first_stone_over(rules):
    terms = terms_of(rules, rules.boards[0])
    first = next(rules.start(terms).legal_moves())
    after = rules.start(terms).play(first)
    if not rules.swaps:
        with pytest.raises(IllegalMove) as caught:
            after.play(SWAP)
        assert caught.value.code is Code.SWAP_NOT_ALLOWED
        return

    swapped = after.play(SWAP)
    assert (swapped.first, swapped.second) == (after.second, after.first)
    assert swapped.to_move is Seat.FIRST
    assert SWAP not in set(swapped.legal_moves())
    without = terms_of(rules, rules.boards[0], Swap="no")
    assert SWAP not in set(rules.start(without).play(first).legal_moves())


@every_game
def test_handicaps_and_options_are_taken_or_refused_by_name(rules):
    tags = {"Game": rules.code, "Board": rules.boards[0]}
    for kind in HandicapKind:
        verdict = judge(
            "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
            + f'[Handicap "second 2 {kind}"]\n'
        )
        if kind in rules.handicaps:
            assert verdict.is_valid
        else:
            assert verdict.errors[0].code is Code.HANDICAP_CONFLICT
    assert read_conditions({**tags, "Options": " ".join(rules.options)}).options == rules.options
    refused = judge({"game": rules.code, "board": rules.boards[0], "options": ["no-such-option"]})
    assert refused.errors[0].code is Code.BAD_TAG


@every_game
def test_every_ending_is_weighed(rules):
    board = rules.boards[0]
    head = f'[Game "{rules.code}"]\n[Board "{board}"]\n\n'
    is_scoring = judge(head).outcome.bounds is not None
    drawn = judge(head + "agreed 1/2")
    won = judge(head + "agreed 1-0")

    assert drawn.is_valid is (rules.draws and not is_scoring)
    assert won.is_valid is (rules.players == 2 and not is_scoring)
    for word, termination in (("resign", "resigned"), ("time", "time")):
        verdict = judge(head + word)
        assert (verdict.state, verdict.outcome.termination) == ("finished", termination)
