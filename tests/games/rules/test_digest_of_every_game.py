"""In every game: digests do not see how a record is written, and see whatever matters."""

import json
import random

import pytest

from games.rules import GAMES
from games.rules.conditions import HandicapKind
from games.rules.records.record import Record
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions

every_game = pytest.mark.parametrize("code", GAMES)


def played(code, seed, **tags):
    """A record of up to eight random turns, given up at times."""
    rules, chance = GAMES[code], random.Random(f"{code}{seed}")
    terms = read_conditions({"Game": code, "Board": rules.boards[0], **tags})
    position, turns = rules.start(terms), []
    for _ in range(chance.randrange(2, 9)):
        legal = list(position.legal_moves())
        if not legal:
            break
        turns.append("swap" if "swap" in legal else chance.choice(legal))
        position = position.play(turns[-1])
    ending = () if position.is_over else chance.choice([(), ("resign",), ("time",)])
    return Record(conditions=terms, moves=(*turns, *ending))


def written_otherwise(record, chance):
    """The text of a record in another hand: order, case, spacing, numbers, comments, more tags."""
    tags = [
        *record.conditions.as_tags().items(),
        ("First", "Ada"),
        ("Site", "x [y] {z}"),
        ("Round", "2"),
    ]
    chance.shuffle(tags)
    words = []
    for number, word in enumerate(record.moves):
        if chance.random() < 0.4:
            words.append(f"{number}" + "." * chance.randrange(1, 4))
        words.append(chance.choice([word, word.lower(), word.upper(), word.swapcase()]))
        if chance.random() < 0.3:
            words.append(chance.choice(["{a remark}", "{}", "{[Game]}", "; to the end 1-0 {\n"]))
    gap = chance.choice([" ", "\n", " \t \n\n", "\r\n"])
    head = "".join(f'{chance.choice(["", " "])}[{name} "{value}"]\n' for name, value in tags)
    return head + gap + gap.join(words) + chance.choice(["", "\n", " "])


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_how_it_is_written_does_not_matter(code, seed):
    record, chance = played(code, seed), random.Random(seed)
    digest = judge(record).digest

    assert digest is not None
    for _ in range(6):
        text = written_otherwise(record, chance)
        assert judge(text).digest == digest, text
    value = record.as_json()
    keys = list(value)
    chance.shuffle(keys)
    assert judge({key: value[key] for key in keys}).digest == digest
    bare = {key: value[key] for key in ("game", "board", "moves")}
    assert judge(bare).digest == digest
    told = {**value, "tags": {"Event": "Open"}, "moves": [word.swapcase() for word in record.moves]}
    assert judge(json.loads(json.dumps(told))).digest == digest
    if record.moves[-1] in ("resign", "time") and GAMES[code].players == 2:
        token = {"first": "1-0", "second": "0-1"}[judge(record).outcome.winner]
        assert judge({**value, "result": token}).digest == digest
    elif judge(record).outcome.termination is None:
        assert judge({**value, "result": "*"}).digest == digest


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_whatever_matters_parts_two_records(code, seed):
    """One record is changed in one way after the other; all the digests are different."""
    rules, record = GAMES[code], played(code, seed)
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
    other_turns = list(rules.start(record.conditions).legal_moves())[:9]
    others += [{**value, "moves": [turn]} for turn in other_turns]
    different = {}
    for other in others:
        verdict = judge(other)
        if verdict.is_valid:
            different.setdefault(verdict.digest, []).append(other)

    same = [told for told in different.values() if any(one != told[0] for one in told)]
    # The usual board named twice, and a game of one turn cut off or told again, are one game.
    for told in same:
        assert len({json.dumps(Record.from_json(one).as_json()) for one in told}) == 1
    assert len(different) > 8
