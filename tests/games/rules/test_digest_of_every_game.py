"""Digests of every game: equal for any spelling of a record, different for other games."""

import json
import random
from itertools import islice

import pytest

from games.rules.conditions import HandicapKind
from games.rules.position import SWAP
from games.rules.records.record import Record
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES
from tests.games.rules.seeds import seeds

every_game = pytest.mark.parametrize("code", GAMES)


def random_record(code, seed, **tags):
    """Return a record of up to eight random turns, sometimes ended by resignation or time."""
    rules, source = GAMES[code], random.Random(f"{code}{seed}")
    conditions = read_conditions({"Game": code, "Board": rules.boards[0], **tags})
    position, turns = rules.start(conditions), []
    for _ in range(source.randrange(2, 9)):
        if position.is_over:
            break
        turns.append(SWAP if position.is_legal(SWAP) else position.random_move(source))
        position = position.play(turns[-1])
    ending = () if position.is_over else source.choice([(), ("resign",), ("time",)])
    return Record(conditions=conditions, moves=(*turns, *ending))


def rewrite(record, source):
    """Return the text of a record with other order, case, spacing, numbers, comments and tags."""
    tags = [
        *record.conditions.as_tags().items(),
        ("First", "Ada"),
        ("Site", "x [y] {z}"),
        ("Round", "2"),
    ]
    source.shuffle(tags)
    words = []
    for number, word in enumerate(record.moves):
        if source.random() < 0.4:
            words.append(f"{number}" + "." * source.randrange(1, 4))
        words.append(source.choice([word, word.lower(), word.upper(), word.swapcase()]))
        if source.random() < 0.3:
            words.append(source.choice(["{a remark}", "{}", "{[Game]}", "; to the end 1-0 {\n"]))
    gap = source.choice([" ", "\n", " \t \n\n", "\r\n"])
    head = "".join(f'{source.choice(["", " "])}[{name} "{value}"]\n' for name, value in tags)
    return head + gap + gap.join(words) + source.choice(["", "\n", " "])


@every_game
@seeds(range(1), range(1, 5))
def test_spelling_keeps_the_digest(code, seed):
    record, source = random_record(code, seed), random.Random(seed)
    digest = judge(record).digest

    assert digest is not None
    for _ in range(6):
        text = rewrite(record, source)
        assert judge(text).digest == digest, text
    value = record.as_json()
    keys = list(value)
    source.shuffle(keys)
    assert judge({key: value[key] for key in keys}).digest == digest
    bare = {key: value[key] for key in ("game", "board", "moves")}
    assert judge(bare).digest == digest
    respelled = {
        **value,
        "tags": {"Event": "Open"},
        "moves": [word.swapcase() for word in record.moves],
    }
    assert judge(json.loads(json.dumps(respelled))).digest == digest
    if record.moves[-1] in ("resign", "time") and GAMES[code].players == 2:
        token = {"first": "1-0", "second": "0-1"}[judge(record).outcome.winner]
        assert judge({**value, "result": token}).digest == digest
    elif judge(record).outcome.termination is None:
        assert judge({**value, "result": "*"}).digest == digest


@every_game
@seeds(range(1), range(1, 5))
def test_any_change_of_the_game_changes_the_digest(code, seed):
    """Change a record in many ways, one at a time; all digests are different."""
    rules, record = GAMES[code], random_record(code, seed)
    value = record.as_json()
    turns = [word for word in record.moves if word not in ("resign", "time")]
    others = [
        {**value, "moves": turns},
        {**value, "moves": [*turns, "resign"]},
        {**value, "moves": [*turns, "time"]},
        {**value, "moves": turns[:-1]},
        {**value, "moves": turns, "result": "1-0"},
        {**value, "moves": turns, "result": "0-1"},
        {**value, "moves": turns, "result": "1/2"},
        {**value, "moves": [*turns, "agreed"], "result": "1-0"},
        {**value, "moves": [*turns, "agreed"], "result": "1/2"},
        {**value, "moves": turns, "advice": "first"},
        {**value, "moves": turns, "advice": "second"},
        {**value, "moves": [], "board": rules.boards[-1]},
        *({**value, "moves": turns, "options": [option]} for option in rules.options),
    ]
    if bounds := judge({**value, "moves": []}).outcome.bounds:
        total = bounds[0][0] + bounds[1][1]
        others += [
            {**value, "moves": [*turns, "agreed"], "result": f"{score}-{total - score}"}
            for score in (total // 2, total // 2 + 1)
        ]
    if rules.swaps:
        others += [{**value, "moves": [], "swap": swap} for swap in (True, False)]
    if HandicapKind.STONES in rules.handicaps:
        others += [
            {**value, "moves": [], "swap": False, "handicap": {"seat": "second", "stones": number}}
            for number in (1, 2)
        ]
    if HandicapKind.POINTS in rules.handicaps:
        others += [
            {**value, "moves": turns, "handicap": {"seat": seat, "points": number}}
            for seat in ("first", "second")
            for number in (1, 2)
        ]
    other_turns = islice(rules.start(record.conditions).legal_moves(), 9)
    others += [{**value, "moves": [turn]} for turn in other_turns]
    different = {}
    for other in others:
        verdict = judge(other)
        if verdict.is_valid:
            different.setdefault(verdict.digest, []).append(other)

    # Some changes give the same game: the usual board as a change, or a turn cut off and added.
    for values in different.values():
        assert len({json.dumps(Record.from_json(value).as_json()) for value in values}) == 1
    assert len(different) > 8
