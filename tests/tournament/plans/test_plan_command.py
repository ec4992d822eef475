"""`manage.py plan`: formats compared from a file of ratings, without a database."""

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

LINES = "2000\nAda, 1900\n1850;60\n1700\n1600\n"
SMALL = ("--systems=monrad,knockout", "--rounds=2-3", "--simulations=20", "--seed=7")


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.txt"
    path.write_text(LINES, encoding="utf-8")
    return path


def plan(path: Path | str, *options: str) -> str:
    out = io.StringIO()
    call_command("plan", str(path), *(options or SMALL), stdout=out)
    return out.getvalue()


def test_the_table_ends_with_the_recommendation(ratings: Path) -> None:
    header, *rows = plan(ratings).splitlines()
    assert header.split()[:3] == ["system", "rounds", "length"]
    assert [row.split()[:3] for row in rows[:3]] == [
        ["Monrad", "2", "2:10"],
        ["Monrad", "3", "3:20"],
        ["Knockout", "3", "3:20"],
    ]
    assert " is recommended: the strongest player wins in " in rows[3]
    assert len(rows) == 6


def test_the_same_seed_gives_the_same_figures(ratings: Path) -> None:
    first = plan(ratings, *SMALL, "--format=json")
    assert plan(ratings, *SMALL, "--format=json", "--processes=2") == first
    body = json.loads(first)
    assert (body["players"], body["seed"], len(body["formats"])) == (5, 7, 3)
    assert body["formats"][0]["minutes"] == 130
    table = csv.DictReader(io.StringIO(plan(ratings, *SMALL, "--format=csv")))
    winners = [row["winner"] for row in table]
    assert winners == [f"{row['winner']['value']:.4f}" for row in body["formats"]]


@pytest.mark.parametrize(
    ("option", "part"),
    [
        ("--systems=lucky", "valid are: dutch"),
        ("--rounds=five", "write 5, or 5-7"),
        ("--rounds=9", "at most 5 rounds"),
        ("--rounds=", "at least one format"),
        ("--simulations=1", "between 20 and 5000"),
        ("--minutes=0", "--minutes must be between"),
        ("--options=[]", "--options is an object"),
    ],
)
def test_an_option_that_makes_no_sense(ratings: Path, option: str, part: str) -> None:
    with pytest.raises(CommandError, match=part) as refused:
        plan(ratings, *SMALL, option)
    assert refused.value.returncode == 2


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"1500\nnobody\n\nAda, 9999\n", "line 2: 'nobody' has no rating"),
        (b"1500\nnobody\n\nAda, 9999\n", "line 4: '9999' is not a rating"),
        (b"1500\n\xff\xfe\n", "line 2: not UTF-8"),
        (b"1" * (1 << 20) + b"1", "larger than 1 MiB"),
    ],
)
def test_a_file_that_makes_no_sense(tmp_path: Path, content: bytes, part: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=part) as refused:
        plan(path)
    assert refused.value.returncode == 3


def test_a_file_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file") as refused:
        plan(tmp_path / "nothing.txt")
    assert refused.value.returncode == 3


@pytest.mark.long
@pytest.mark.parametrize("aim", ["winner", "order"])
def test_four_seeds_recommend_the_same_format(tmp_path: Path, aim: str) -> None:
    path = tmp_path / "ratings.txt"
    path.write_text("1890\n1822\n1745\n1701\n1640\n1588\n1502\n1433\n1310\n")
    systems = ("--systems", "dutch,round-robin,knockout", "--rounds", "4-6", "--format", "json")
    recommended = []
    for seed in "1234":
        found = json.loads(
            plan(path, *systems, "--simulations", "500", "--seed", seed, "--aim", aim)
        )
        recommended.append(found["recommendation"]["formats"][0])
    assert len(set(recommended)) == 1
