"""Equal games have equal digests in any spelling; different games have different digests."""

import hashlib

import pytest

from games.rules.records.record import Record

HEAD = '[Game "star-star"]\n[Board "10"]\n'
MOVES = "1. S60 swap 2. T61 A32"
PLAIN = Record.parse(f"{HEAD}\n{MOVES}").replay().digest


def test_the_digest_is_of_the_canonical_form():
    form = (
        '{"advice":null,"board":"10","ending":"agreed 26-25","game":"star-star",'
        '"handicap":{"points":2,"seat":"first"},"moves":["S60","swap","T61"],'
        '"options":[],"setup":null,"swap":true}'
    )
    text = f'{HEAD}[Handicap "first 2 points"]\n\nS60 swap T61 agreed 26-25'

    digest = "sha256:" + hashlib.sha256(form.encode()).hexdigest()
    assert Record.parse(text).replay().digest == digest


@pytest.mark.parametrize(
    "text",
    [
        f'[Board "10"]\n[Game "star-star"]\n\n{MOVES}',
        f"{HEAD}\n{MOVES.lower()}",
        f"{HEAD}S60 {{bold}} SWAP\n\n\n 17. T61; far\n A32",
        f"{HEAD}\n{MOVES} *",
        f'{HEAD}[Swap "yes"]\n\n{MOVES}',
        f'{HEAD}[Options ""]\n\n{MOVES}',
        f'{HEAD}[First "Ada"]\n[Event "Open"]\n\n{MOVES}',
        f"\ufeff{HEAD}\r\n{MOVES}".replace("\n", "\r\n"),
    ],
)
def test_differences_without_meaning_keep_the_digest(text):
    record = Record.parse(text)

    assert record.replay().digest == PLAIN
    assert Record.from_json(record.as_json()).replay().digest == PLAIN


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD.replace('10', '8')}\n1. S60 swap 2. T61 A32",
        f'{HEAD}[Handicap "first 2 points"]\n\n{MOVES}',
        f'{HEAD}[Handicap "second 2 points"]\n\n{MOVES}',
        f'{HEAD}[Advice "first"]\n\n{MOVES}',
        f"{HEAD}\nS60 swap A32 T61",
        f"{HEAD}\nS60 T61 A32",
        f"{HEAD}\n{MOVES} resign",
        f"{HEAD}\n{MOVES} time",
        f"{HEAD}\n{MOVES} agreed 26-25",
        f"{HEAD}\n{MOVES} 26-25",
        f"{HEAD}\n{MOVES} 1-0",
    ],
)
def test_differences_with_a_meaning_change_the_digest(text):
    assert Record.parse(text).replay().digest != PLAIN


def test_options_and_swap_change_the_digest():
    tags = ["", '[Options "two-point-corners"]', '[Swap "no"]']
    records = [f'[Game "star"]\n[Board "5x6"]\n{tag}\n\nA1' for tag in tags]

    assert len({Record.parse(text).replay().digest for text in records}) == 3


def test_a_proved_result_keeps_the_digest():
    one, other = (f"{HEAD}\n{MOVES} resign{token}" for token in ("", " 0-1"))

    assert Record.parse(one).replay().digest == Record.parse(other).replay().digest
