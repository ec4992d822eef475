"""`players/import` and `entries/import` with rows in JSON: the answer is that of a file."""

import json
from typing import Any

import pytest

from games.models import Player
from tests.events import make_event, run_due
from tests.people import Person, problem_in

ADA = {
    "name": "Lovelace, Ada", "country": "ENG", "club": "Rooks", "seed_rating": 1900, "sex": "w",
    "birth_year": 1990, "seed_games": 30, "external_ids": {"fide": "1503014", "ecf": "120787D"},
}  # fmt: skip
FILE = """\
name,country,club,seed_rating,sex,birth_year,seed_games,fide,ids
"Lovelace, Ada",ENG,Rooks,1900,w,1990,30,1503014,ecf:120787D
Ben,CAN,,,,,,,
"Lovelace, Ada",ENG,Rooks,1900,w,1990,30,1503014,ecf:120787D
"""
COLUMNS = (
    "name", "country", "club", "seed_rating", "sex", "birth_year", "seed_games", "external_ids",
)  # fmt: skip


def outcome(answer: Any) -> list[Any]:
    assert answer.status_code in (200, 201), answer.content
    return [
        (row["line"], row["player"]["name"], row["action"], row.get("same_as_line"))
        for row in answer.json()["rows"]
    ]


def test_rows_are_imported_as_those_of_a_file(organiser: Person, stranger: Person) -> None:
    rows = [ADA, {"name": "Ben", "country": "can", "club": None, "seed_rating": None}, ADA]
    by_file = organiser.send("POST", "players/import?dry_run=1", FILE.encode(),
                             content_type="text/csv")  # fmt: skip

    tried = organiser.post("players/import?dry_run=1", {"rows": rows})

    of_file = [
        (line - 1, *rest, same and same - 1) for line, *rest, same in outcome(by_file)
    ]  # below the headings
    assert outcome(tried) == of_file
    assert [row[2] for row in outcome(tried)] == ["created", "created", "known"]
    assert Player.objects.count() == 0
    imported = organiser.post("players/import", {"rows": rows})
    assert imported.json()["columns"] == {}
    ada, ben = Player.objects.order_by("pk")
    assert {name: getattr(ada, name) for name in COLUMNS} == ADA
    assert (ben.country, ben.club, ben.seed_rating, ben.external_ids) == ("CAN", "", None, {})
    again = [{"player_id": ada.pk}, {"name": "Ben", "country": "CAN", "is_new": True}]
    assert [row[2] for row in outcome(organiser.post("players/import", {"rows": again}))] == [
        "known", "created",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "code", "pointers"),
    [
        ([], "invalid", ["/rows"]),
        ([{"name": "Ada"}, {"nam": "Ben"}], "unknown_member", ["/rows/1/nam"]),
        ([{"name": 5}, {"birth_year": 1800}], "invalid", ["/rows/0/name", "/rows/1/birth_year"]),
        (
            [{"name": ""}, {"country": "POR"}, {"name": "Ada", "is_new": True, "player_id": 1}],
            "invalid",
            ["/rows/0/name", "/rows/1/name", "/rows/2/player_id"],
        ),
        ([{"name": "Ada"}, {"player_id": 999}], "invalid_lines", ["/rows/1/player_id"]),
    ],
)
def test_wrong_rows_are_refused_together(
    organiser: Person, rows: Any, code: str, pointers: list[str]
) -> None:
    for path in ("players", f"{make_event(organiser).step('open').path}/entries"):
        problem = problem_in(organiser.post(f"{path}/import", {"rows": rows}), 422, code)
        assert [error["pointer"] for error in problem["errors"]] == pointers
        assert not problem["detail"].startswith("line ")
        assert "column" not in problem["detail"]  # a word of files
    assert Player.objects.count() == 0


def test_entries_are_imported_with_their_values(organiser: Person) -> None:
    event = make_event(organiser).step("open")
    known = Player.objects.create(name="Ben", country="CAN", seed_rating=1800)
    rows = [ADA | {"category": "junior"}, {"player_id": known.pk, "seed_rating": None}]

    for query in ("?dry_run=1", ""):
        answer = organiser.post(f"{event.path}/entries/import{query}", {"rows": rows})
        assert [row[:3] for row in outcome(answer)] == [
            (1, "Lovelace, Ada", "created"), (2, "Ben", "known"),
        ]  # fmt: skip

    ada, ben = event.tournament.entries.order_by("ordinal")
    assert [row["id"] for row in answer.json()["rows"]] == [ada.pk, ben.pk]
    assert (ada.category, ada.birth_year, ada.sex, ada.seed_rating) == ("junior", 1990, "w", 1900)
    assert (ben.player, ben.seed_rating) == (known, 0)


def test_a_task_imports_many_rows(organiser: Person) -> None:
    rows = [{"name": f"Player {number}", "club": "x" * 90} for number in range(80)]
    assert len(json.dumps(rows)) > 8 << 10
    answer = organiser.post("players/import", {"rows": rows})
    assert answer.status_code == 202, answer.content
    assert run_due() == 1
    assert Player.objects.filter(club="x" * 90).count() == 80
