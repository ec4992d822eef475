"""Quotas, reports that repeat, and what is journalled of rejected records."""

from typing import Any

import pytest

from games.models import Game, JournalLine, Report
from tests.events import (
    FILLED_TWICE,
    FIRST_WINS,
    FIRST_WINS_OTHERWISE,
    TAGS,
    Event,
    make_event,
    make_players,
    make_published,
    settle,
)
from tests.people import Person, add_second_factor, player_of, problem_in

pytestmark = pytest.mark.django_db
RECORD = {"record": FIRST_WINS}
OTHER_RECORD = {"record": FIRST_WINS_OTHERWISE}
CLAIM = {"claim": {"result": "11-10"}}
OTHER_CLAIM = {"claim": {"result": "10-11"}}


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    return make_published(organiser, ada, ben)


@pytest.fixture
def game(event: Event) -> Game:
    """A game between Ada in the first seat and Ben."""
    (game,) = event.games()
    assert game.first.name == "Ada"
    return game


def set_quota(settings: Any, **quotas: int) -> None:
    settings.QUOTAS = {**settings.QUOTAS, **quotas}


def quota_in(response: Any) -> tuple[str, int, str]:
    """The quota that a problem names, its limit and its setting."""
    problem = problem_in(response, 409, "quota_reached")
    assert problem["detail"].startswith(f"the limit is {problem['limit']} ")
    return problem["quota"], problem["limit"], problem["setting"]


REPEATED = {
    "a record": ([RECORD, RECORD], [1, 1]),
    "a record as JSON": ([RECORD, {"record": FIRST_WINS + "\n"}], [1, 1]),
    "a claim": ([CLAIM, CLAIM, CLAIM], [1, 1, 1]),
    "another record": ([RECORD, OTHER_RECORD], [1, 2]),
    "another claim": ([CLAIM, OTHER_CLAIM], [1, 2]),
    "a claim for a record": ([RECORD, CLAIM], [1, 2]),
    "an earlier claim again": ([CLAIM, OTHER_CLAIM, CLAIM], [1, 2, 3]),
}


@pytest.mark.parametrize(("bodies", "versions"), REPEATED.values(), ids=REPEATED)
def test_identical_reports_count_once(
    ada: Person, game: Game, bodies: list[Any], versions: list[int]
) -> None:
    responses = [ada.post(f"games/{game.pk}/reports", body) for body in bodies]

    assert [response.status_code for response in responses] == [202] * len(bodies)
    assert [response.json()["report"]["version"] for response in responses] == versions
    assert game.reports.count() == max(versions)
    lines = JournalLine.objects.filter(stream=game.stream, kind__startswith="report.")
    assert lines.count() == max(versions)


def test_the_other_side_and_its_answers_are_not_repetitions(
    ada: Person, ben: Person, game: Game
) -> None:
    path = f"games/{game.pk}"

    versions = [
        ada.post(f"{path}/reports", RECORD).json()["report"]["version"],
        ben.post(f"{path}/reports", RECORD).json()["report"]["version"],
        *(
            ada.post(f"{path}/dispute", {"reason": why}).json()["report"]["version"]
            for why in "aab"
        ),
    ]

    assert versions[:5] == [1, 2, 3, 3, 4]


def test_a_report_that_repeats_a_settled_one_gets_its_result(
    ada: Person, ben: Person, game: Game
) -> None:
    first = ada.post(f"games/{game.pk}/reports", RECORD).json()["report"]
    ben.post(f"games/{game.pk}/reports", RECORD)
    settle()

    again = ada.post(f"games/{game.pk}/reports", RECORD)

    assert again.status_code == 200
    assert again.json()["report"]["id"] == first["id"]
    assert again.json()["task"]["result"] == {"game": game.pk, "state": "confirmed"}
    assert game.reports.count() == 2


def test_a_player_reports_a_game_a_limited_number_of_times(
    settings: Any, ada: Person, ben: Person, organiser: Person, game: Game
) -> None:
    set_quota(settings, reports=2)
    path = f"games/{game.pk}/reports"

    responses = [ada.post(path, body) for body in (CLAIM, OTHER_CLAIM, OTHER_CLAIM, CLAIM)]

    assert [response.status_code for response in responses] == [202, 202, 202, 409]
    assert quota_in(responses[3]) == ("reports", 2, "QUOTA_REPORTS")
    assert ben.post(path, CLAIM).status_code == 202
    ruling = {"result": "1-0", "reason": "both agree"}
    assert organiser.post(f"games/{game.pk}/rule", ruling).status_code == 202


def test_the_records_of_a_player_have_a_total_size(settings: Any, ada: Person, game: Game) -> None:
    limit = len(FIRST_WINS) * 3 // 2
    set_quota(settings, record_bytes=limit)
    path = f"games/{game.pk}/reports"

    responses = [ada.post(path, body) for body in (RECORD, OTHER_RECORD, CLAIM)]

    assert [response.status_code for response in responses] == [202, 409, 202]
    assert quota_in(responses[1]) == ("record_bytes", limit, "QUOTA_RECORD_BYTES")


ENTRIES_CSV = b"name,country\nCleo,POR\nDora,POR\n"


def test_an_event_has_a_limited_number_of_entries(
    settings: Any, organiser: Person, ada: Person
) -> None:
    event = make_event(organiser)
    event.enter(*make_players(2))
    set_quota(settings, entries=3)
    entries = f"{event.path}/entries"

    imported = organiser.send("POST", f"{entries}/import", ENTRIES_CSV, content_type="text/csv")
    entered = organiser.post(entries, {"player": player_of(ada).pk})
    cleo = organiser.post(entries, {"player": make_players(1)[0].pk})

    assert [imported.status_code, entered.status_code, cleo.status_code] == [409, 201, 409]
    assert quota_in(imported) == quota_in(cleo) == ("entries", 3, "QUOTA_ENTRIES")
    assert event.tournament.entries.count() == 3


def test_an_account_creates_a_limited_number_of_events_in_a_day(
    settings: Any, organiser: Person, stranger: Person
) -> None:
    set_quota(settings, events_per_day=1)
    event = {
        "name": "Spring",
        "ruleset": "star-star",
        "board_size": "4",
        "system": "monrad",
        "rounds": 3,
        "starts_on": "2026-05-01",
        "ends_on": "2026-05-02",
    }

    responses = [
        person.post("tournaments", event | {"slug": f"event-{number}"})
        for number, person in enumerate([stranger, stranger, organiser])
    ]

    assert [response.status_code for response in responses] == [201, 409, 201]
    assert quota_in(responses[1]) == ("events_per_day", 1, "QUOTA_EVENTS_PER_DAY")


def test_an_account_has_a_limited_number_of_tokens(settings: Any, stranger: Person) -> None:
    set_quota(settings, tokens=2)  # one is the person's own
    body = {"name": "laptop", "scopes": ["tournament:read"]}

    responses = [stranger.post("tokens", body) for _ in range(2)]

    assert [response.status_code for response in responses] == [201, 409]
    assert quota_in(responses[1]) == ("tokens", 2, "QUOTA_TOKENS")


def test_site_staff_have_no_quotas(settings: Any, organiser: Person) -> None:
    organiser.account.is_staff = True
    organiser.account.save()
    add_second_factor(organiser.account)
    set_quota(settings, tokens=1)

    response = organiser.post("tokens", {"name": "laptop", "scopes": ["tournament:read"]})

    assert response.status_code == 201


def refused_lines(game: Game) -> int:
    return JournalLine.objects.filter(stream=game.stream, kind="report.refused").count()


def test_a_rejected_record_is_journalled_once_and_within_a_quota(
    settings: Any, ada: Person, ben: Person, game: Game
) -> None:
    set_quota(settings, rejected_records=2)
    path = f"games/{game.pk}/reports"
    records = [FILLED_TWICE, FILLED_TWICE, TAGS + "S10 Z99\n", TAGS + "S10 Z98\n"]

    lines = []
    for record in records:
        problem_in(ada.post(path, {"record": record}), 422)
        lines.append(refused_lines(game))
    problem_in(ben.post(path, {"record": FILLED_TWICE}), 422)

    assert lines == [1, 1, 2, 2]
    assert refused_lines(game) == 3


ENDS = {
    "final": ("review", "finalise"),
    "archived": ("review", "finalise", "archive"),
    "cancelled": ("cancel",),
}


@pytest.mark.parametrize("steps", ENDS.values(), ids=ENDS)
def test_a_rejected_report_writes_nothing_after_the_end_of_the_event(
    organiser: Person, ada: Person, ben: Person, steps: tuple[str, ...]
) -> None:
    event = make_event(organiser, rounds=1)
    event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    organiser.post(f"games/{game.pk}/rule", {"result": "1-0", "reason": "both agree"})
    settle()
    organiser.post(f"{event.path}/rounds/1/complete")
    event.tournament.refresh_from_db()
    event.step(*steps)
    before = JournalLine.objects.count(), Report.objects.count()

    responses = [
        ada.post(f"games/{game.pk}/reports", {"record": FILLED_TWICE}),
        ada.post(f"games/{game.pk}/reports", RECORD),
        ada.post(f"games/{game.pk}/reports", CLAIM),
        organiser.post(f"games/{game.pk}/rule", {"result": "0-1", "reason": "a mistake"}),
    ]

    assert [response.status_code for response in responses] == [422, 409, 409, 409]
    assert (JournalLine.objects.count(), Report.objects.count()) == before
