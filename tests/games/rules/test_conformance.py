"""The rules that every game in GAMES must follow; a new game is tested without changes here."""

import json
import random

import pytest

from games.rules.conditions import HandicapKind
from games.rules.errors import Code, IllegalMove, RecordError
from games.rules.position import PASS, SWAP
from games.rules.records.record import Record
from games.rules.records.replay import play_turns
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES, find_game
from games.rules.seat import Seat
from games.rules.text_picture import parse_position
from tests.games.rules.random_games import conditions_of, random_game

every_game = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
OF_ANOTHER_FORM = {"poly-y", "y", "hex"}
"""The games whose last board is no larger copy of their first one, as `11x14` is none of `11`."""
every_board = pytest.mark.parametrize(
    ("rules", "board"),
    [
        pytest.param(
            rules,
            board,
            id=f"{rules.code}-{board}",
            marks=[pytest.mark.long] if number and rules.code not in OF_ANOTHER_FORM else [],
        )
        for rules in GAMES.values()
        for number, board in enumerate(dict.fromkeys((rules.boards[0], rules.boards[-1])))
    ],
)


@every_game
def test_a_game_describes_itself(rules):
    assert GAMES[rules.code] is rules is find_game(rules.code)
    for text in (rules.name, rules.board_form, rules.notation, rules.summary, rules.source):
        assert text == text.strip() != ""
    for board in rules.boards:
        assert rules.find_board(board) == board


@every_game
def test_invalid_board_names_are_rejected(rules):
    boards = ["", "0", "-4", "ten", "1000000", "9x", "x", "10 ", "١٠", "1e1"]

    assert {board: rules.find_board(board) for board in boards} == dict.fromkeys(boards)


@every_board
def test_positions_of_a_random_game_are_consistent(rules, board):
    turns, positions = random_game(rules, conditions_of(rules, board), seed=1)

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
def test_only_legal_turns_can_be_played(rules, board):
    source = random.Random(2)
    _, positions = random_game(rules, conditions_of(rules, board), seed=2, most_plies=60)
    words = sorted(positions[0].board.names)

    for position in positions[:: max(1, len(positions) // 6)]:
        legal = set(position.legal_moves())
        assert bool(legal) is not position.is_over
        for word in ["", "XX", SWAP, PASS, *source.sample(words, min(len(words), 60))]:
            if word in legal:
                assert position.play(word).plies == position.plies + 1
            else:
                with pytest.raises(IllegalMove):
                    position.play(word)


@every_board
def test_no_turn_is_legal_after_the_end(rules, board):
    _, positions = random_game(rules, conditions_of(rules, board), seed=3)
    if not positions[-1].is_over:  # this game may not end
        return

    assert list(positions[-1].legal_moves()) == []
    for word in (SWAP, PASS, "XX", *sorted(positions[0].board.names)[:5]):
        with pytest.raises(IllegalMove) as caught:
            positions[-1].play(word)
        assert caught.value.code is Code.AFTER_END


@every_board
def test_text_and_json_of_a_random_game_are_equivalent(rules, board):
    conditions = conditions_of(rules, board)
    turns, _ = random_game(rules, conditions, seed=4)
    record = Record(conditions=conditions, moves=tuple(turns), tags={"First": "Ada"})
    verdict = judge(record)

    assert verdict.errors == ()
    assert verdict.plies == len(turns)
    assert Record.parse(str(record)) == record
    assert Record.from_json(json.loads(json.dumps(record.as_json()))) == record
    assert judge(record.as_json()).digest == verdict.digest


@every_board
def test_a_picture_gives_an_equal_position(rules, board):
    turns, positions = random_game(rules, conditions_of(rules, board), seed=6)
    step = max(1, len(positions) // 6)

    for position in (*positions[::step], positions[-1]):
        assert parse_position(str(position)) == position
    middle = parse_position(str(positions[len(turns) // 2]))
    assert play_turns(middle, turns[len(turns) // 2 :]).outcome() == positions[-1].outcome()


def is_picture(text):
    try:
        parse_position(text)
    except RecordError:
        return False
    return True


@every_game
def test_invalid_pictures_are_rejected(rules):
    picture = str(rules.start(conditions_of(rules, rules.boards[0])))
    invalid = {
        "nothing": "",
        "no number": picture.replace("ply 0", "ply x"),
        "negative": picture.replace("ply 0", "ply -1"),
        "no ply": picture.replace("ply 0\n", ""),
        "a missing line": picture.rsplit("\n", 2)[0],
        "an additional cell": picture.rstrip() + ".",
        "an unknown sign": picture.rstrip()[:-1] + "?",
        "no tags": picture.partition("\n\n")[2],
    }

    assert is_picture(picture)
    assert [name for name, text in invalid.items() if is_picture(text)] == []


@every_game
def test_turns_are_read_in_upper_and_lower_case(rules):
    conditions = conditions_of(rules, rules.boards[0])
    turns, _ = random_game(rules, conditions, seed=5, most_plies=30)
    plain = Record(conditions=conditions, moves=tuple(turns))
    upper, lower = (
        Record.from_json({**plain.as_json(), "moves": [change(turn) for turn in turns]})
        for change in (str.upper, str.lower)
    )

    assert upper == lower == plain


@every_game
def test_swap_exchanges_the_stones(rules):
    conditions = conditions_of(rules, rules.boards[0])
    first = next(rules.start(conditions).legal_moves())
    after = rules.start(conditions).play(first)
    if not rules.swaps:
        with pytest.raises(IllegalMove) as caught:
            after.play(SWAP)
        assert caught.value.code is Code.SWAP_NOT_ALLOWED
        return

    swapped = after.play(SWAP)
    assert (swapped.first, swapped.second) == (after.second, after.first)
    assert swapped.to_move is Seat.FIRST
    assert SWAP not in set(swapped.legal_moves())
    without = conditions_of(rules, rules.boards[0], Swap="no")
    assert SWAP not in set(rules.start(without).play(first).legal_moves())


@every_game
def test_only_known_handicaps_and_options_are_accepted(rules):
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
    unknown = judge({"game": rules.code, "board": rules.boards[0], "options": ["no-such-option"]})
    assert unknown.errors[0].code is Code.BAD_TAG


@every_game
def test_every_ending_is_judged(rules):
    board = rules.boards[0]
    head = f'[Game "{rules.code}"]\n[Board "{board}"]\n\n'
    is_scoring = judge(head).outcome.bounds is not None
    drawn = judge(head + "agreed 1/2")
    won = judge(head + "agreed 1-0")

    assert drawn.is_valid is (rules.draws and not is_scoring)
    assert won.is_valid is (rules.players == 2 and not is_scoring)
    for word, termination in (("resign", "resigned"), ("time", "time")):
        verdict = judge(head + word)
        if rules.players == 2:
            assert (verdict.state, verdict.outcome.termination) == ("finished", termination)
        else:
            assert verdict.errors[0].code is Code.CLAIM_CONTRADICTS
