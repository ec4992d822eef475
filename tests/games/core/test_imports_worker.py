"""An import that its sender waits for, by a real worker."""

from tests.people import Person, problem_in
from tests.processes import Worker

CSV = {"content_type": "text/csv"}
PATH = "players/import"


def players(count: int, name: str = "Player") -> str:
    lines = (f"{name} number {n},POR,{100 + n % 2900},Club {n % 90}\n" for n in range(count))
    return "name,country,seed_rating,club\n" + "".join(lines)


def test_a_waiting_client_gets_the_result(worker: Worker, organiser: Person) -> None:
    response = organiser.post(PATH, players(1000), Prefer="wait=20", **CSV)

    assert response.status_code == 201
    assert len(response.json()["rows"]) == 1000
    wrong = "name,country\nAda,POR\nBen,Atlantis\n"
    problem = problem_in(organiser.post(PATH, wrong, Prefer="wait=20", **CSV), 422, "invalid_lines")
    assert [error["line"] for error in problem["errors"]] == [3]
