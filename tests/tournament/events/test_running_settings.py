"""Settings of a running event: what they change of what is published is said, and accepted."""

import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.models import JournalLine
from tests.events import Event, make_running, taken_back
from tests.people import Person, problem_in
from tests.tournament.conftest import login
from tests.tournament.events.test_verify_state import verify
from tests.tournament.imports import import_trf
from tournament.core.queries import current_pairings
from tournament.events.services import edit_tournament, foresee
from tournament.rounds.services import publish_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """Return five players and four rounds; the first is complete."""
    event = make_running(organiser, 5, rounds=4, tiebreaks=["PTS", "RTNG"])
    event.play(1)
    return event


FLIP = """\
012 Flip
042 2027/04/10
052 2027/04/12
XXR 5
XXC white1
001    1      P01                               2090                             1.0    1     5 w 0     4 b 1     7 b 0
001    2      P02                               2080                             0.0    2     6 b 0     7 w 0     4 b 0
001    3      P03                               2070                             2.0    3     7 w 1     6 b 0     8 w 1
001    4      P04                               2060                             1.0    4     8 b 0     1 w 0     2 w 1
001    5      P05                               2050                             2.0    5     1 b 1     8 w 1     6 w 0
001    6      P06                               2040                             3.0    6     2 w 1     3 w 1     5 b 1
001    7      P07                               2030                             2.0    7     3 b 0     2 b 1     1 w 1
001    8      P08                               2020                             1.0    8     4 w 1     5 b 0     3 b 0
"""  # noqa: E501
"""Three of five rounds; round 4 is another one if it is the last: topscorers (C.04.3, 1.8)."""
AS_FOURTH = [(1, 6), (7, 5), (3, 4), (8, 2)]
AS_LAST = [(7, 6), (1, 3), (4, 5), (8, 2)]


@pytest.fixture
def flip(organiser: Person) -> Event:
    """Return the event of the file, whose round 4 is drafted."""
    event = Event(import_trf(FLIP, by=organiser.account).tournament, organiser)
    event.draft(4)
    return event


def due_of(body: dict[str, Any]) -> dict[int, list[tuple[int, ...]]]:
    """Return the other boards that rounds would have, by pairing numbers."""
    return {
        due["round"]: [tuple(entry["number"] for entry in board["entries"]) for board in due["due"]]
        for due in body["due_rounds"]
    }


def boards(event: Event, number: int) -> list[tuple[int, ...]]:
    found = current_pairings(event.tournament).filter(round__number=number)
    columns = "first__pairing_number", "second__pairing_number"
    return list(found.order_by("board_number").values_list(*columns))


def states(event: Event) -> list[str]:
    return list(event.tournament.round_set.order_by("number").values_list("state", flat=True))


def last_edit(event: Event) -> dict[str, Any]:
    lines = JournalLine.objects.select_related("payload").filter(kind="tournament.edited")
    line = lines.filter(stream=event.stream).latest("sequence")
    return dict(line.payload.body)


@pytest.mark.parametrize("state", ["drafted", "published"])
def test_a_round_that_becomes_the_last_one_is_accepted(
    organiser: Person, flip: Event, state: str
) -> None:
    if state == "published":
        publish_round(flip.tournament, 4, by=organiser.account)
    assert boards(flip, 4) == AS_FOURTH
    fewer = {"rounds": 4}

    no_reason = problem_in(organiser.patch(flip.path, fewer), 422, "reason_needed")
    problem = problem_in(
        organiser.patch(flip.path, fewer | {"reason": "dark"}), 409, "acceptance_needed"
    )
    preview = organiser.patch(f"{flip.path}?dry_run=1", fewer).json()

    for body in (no_reason, problem, preview):
        assert [due["state"] for due in body["due_rounds"]] == [state]
        assert (due_of(body), body["accept"]) == ({4: AS_LAST[:3]}, ["pairings_change"])
    assert [error["code"] for error in no_reason["errors"]] == ["reason_needed", "pairings_change"]
    assert problem["errors"] == [
        {
            "pointer": "",
            "code": "pairings_change",
            "round": 4,
            "detail": f"round 4 ({state}) was not paired as the last one; due would be: 7 P07 – 6"
            " P06, 1 P01 – 3 P03, 4 P04 – 5 P05",
        }
    ]
    accepted = fewer | {"reason": "dark", "accept": problem["accept"]}
    assert organiser.patch(flip.path, accepted).json()["rounds"] == 4
    assert states(flip)[3:] == ["planned" if state == "drafted" else "published"]
    line = last_edit(flip)
    entries = dict(flip.tournament.entries.values_list("pairing_number", "pk"))
    due = [[n, entries[a], entries[b]] for n, (a, b) in enumerate(AS_LAST[:3], start=1)]
    assert (line["reason"], line["accepted"]) == ("dark", ["pairings_change"])
    assert line["due_rounds"] == [[4, due]]
    assert verify() == []
    if state == "published":  # round 4 is then again what it was paired as
        answer = organiser.patch(flip.path, {"rounds": 5, "reason": "light"}).json()
        assert answer["due_rounds"] == []


def test_a_round_that_is_the_last_one_no_more_is_accepted(organiser: Person, flip: Event) -> None:
    organiser.post(f"{flip.path}/rounds/4/unpair")
    why = {"reason": "a wish"}
    assert organiser.patch(flip.path, why | {"rounds": 4}).status_code == 200
    flip.tournament.refresh_from_db()
    flip.publish(4)
    assert boards(flip, 4) == AS_LAST
    answer = organiser.patch(flip.path, why | {"rounds": 6})
    assert due_of(problem_in(answer, 409, "acceptance_needed")) == {4: AS_FOURTH[:3]}


def test_others_rounds_are_accepted_again_if_the_event_has_changed(
    organiser: Person, flip: Event
) -> None:
    foreseen = foresee(flip.tournament, {"rounds": 4})
    assert foreseen.effect.codes == ["pairings_change"]
    organiser.post(f"{flip.path}/rounds/4/unpair")
    _, effect = edit_tournament(
        flip.tournament, {"rounds": 4}, by=organiser.account, reason="dark", foreseen=foreseen
    )
    assert effect.codes == []


def test_the_review_accepts_that_the_last_played_round_is_the_last(
    organiser: Person, flip: Event
) -> None:
    publish_round(flip.tournament, 4, by=organiser.account)
    flip.finish(4, "1-0")
    for entry in flip.tournament.entries.exclude(pairing_number=1):
        organiser.post(f"{flip.path}/entries/{entry.pk}/withdraw", {"reason": "gone home"})
    path, why = f"{flip.path}/review", {"reason": "nobody is left"}

    problem_in(organiser.post(path), 422, "reason_needed")
    problem = problem_in(organiser.post(path, why), 409, "acceptance_needed")
    assert due_of(problem) == {4: AS_LAST[:3]}
    accepted = organiser.post(path, why | {"accept": problem["accept"]}).json()

    assert (accepted["state"], accepted["rounds"]) == ("review", 4)
    line = JournalLine.objects.select_related("payload").latest("pk")
    body = {"rounds": 4, "accepted": problem["accept"]} | why
    assert line.payload.body | body == line.payload.body
    assert verify() == []


def ticked(page: HttpResponse) -> list[str]:
    """Return the codes that a rejected form lets a director accept."""
    return re.findall(r'name="accept\[\]" value="(\S+)"', page.content.decode())


def test_pages_show_what_changes_and_ask_why(director: Client, flip: Event) -> None:
    players = list(flip.tournament.entries.order_by("pairing_number"))
    apart = {"by": "players", "players": f"{players[0].player.name}; {players[2].player.name}"}
    named = {f"separations.0.{name}": value for name, value in apart.items()}
    forms: dict[str, dict[str, str]] = {
        "setup": {"action": "edit", "rounds": "4"},
        "separations": {"action": "save", **named},
    }
    for name, form in forms.items():
        page = f"/e/flip/run/{name}"
        shown = director.get(page)
        form |= {"if_match": shown.context["if_match"]}
        assert ticked(shown) == []
        if name == "setup":
            preview = director.post(f"{page}?dry_run=1", form)
            assert "P07 (7) – P06 (6); board 2: P01 (1) – P03 (3)" in preview.content.decode()
            assert ticked(preview) == ["pairings_change"]
        rejected = director.post(page, form)
        assert (rejected.status_code, ticked(rejected)) == (422, ["pairings_change"])
        assert "this changes what is published; say why" in rejected.content.decode()
        assert "round 4 (being paired)" in rejected.content.decode()
        why = form | {"reason": "as agreed", "accept[]": ["pairings_change"]}
        assert director.post(page, why)["Location"].startswith(f"{page}?done=")
        flip.tournament.refresh_from_db()
        if name == "setup":
            assert flip.tournament.rounds == 4
            flip.draft(4)
    assert flip.tournament.separations
    later = director.get("/e/flip/run/separations").context["separations"][-1]
    assert [f.value for f in later["fields"] if f.name.endswith("first_round")] == [4]


def test_the_page_of_prizes_asks_why(director: Client, event: Event) -> None:
    page = "/e/spring/run/prizes"
    form = {"action": "save", "prizes.0.name": "all", "currency": ""}
    for amounts, status, codes in (("3 2", 303, []), ("3", 422, ["prizes_change"])):
        form |= {"if_match": director.get(page).context["if_match"], "prizes.0.amounts": amounts}
        answer = director.post(page, form)
        assert (answer.status_code, ticked(answer)) == (status, codes)
    why = {"reason": "less money", "accept[]": ["prizes_change"]}
    assert director.post(page, form | why).status_code == 303


def test_players_who_are_kept_apart_in_a_paired_round_are_accepted(
    organiser: Person, flip: Event
) -> None:
    players = dict(flip.tournament.entries.values_list("pairing_number", "player_id"))
    apart = {"by": "players", "players": [players[1], players[6]]}

    for first_round, code in ((4, 409), (5, 200)):
        body = {"separations": [apart | {"first_round": first_round}], "reason": "brothers"}
        answer = organiser.patch(flip.path, body)
        assert answer.status_code == code
        if code == 409:
            due = due_of(problem_in(answer, 409, "acceptance_needed"))
            assert due.keys() == {4}
            assert not {(1, 6), (6, 1)} & {*due[4]}


def test_tiebreaks_that_pair_and_rank_are_accepted(organiser: Person) -> None:
    prizes = [{"name": "all", "amounts": [100, 50]}]
    event = make_running(organiser, 6, system="monrad", tiebreaks=["PTS", "TPN"], prizes=prizes)
    event.play(1)
    event.play(2)
    event.publish(3)
    body = {"tiebreaks": ["PTS", "PS"], "reason": "as printed"}

    problem = problem_in(organiser.patch(event.path, body), 409, "acceptance_needed")

    assert problem["accept"] == ["pairings_change", "ranks_change", "prizes_change"]
    assert [error["detail"] for error in problem["errors"]] == [
        "round 3 (published) would be paired differently; due would be: 5 Player 5 – 4 Player 4,"
        " 1 Player 1 – 3 Player 3, 6 Player 6 – 2 Player 2",
        "ranks would change: Player 2 3 → 4, Player 5 5 → 2",
        "prizes would change: Player 1 0.50 → 0.25",
    ]
    for missing in problem["accept"]:
        accept = [code for code in problem["accept"] if code != missing]
        answer = organiser.patch(event.path, body | {"accept": accept})
        errors = problem_in(answer, 409, "acceptance_needed")["errors"]
        assert [error["code"] for error in errors] == [missing]
    assert organiser.patch(event.path, body | {"accept": problem["accept"]}).status_code == 200
    assert verify() == []


PRIZES = [
    {"name": "all", "amounts": [100, 50]},
    {"name": "adults", "amounts": [7], "age_from": 18, "exclusive": False},
]


MOVED: list[tuple[dict[str, Any], list[Any]]] = [
    ({"prizes": [*PRIZES, {"name": "club", "amounts": [30]}]}, []),
    ({"prizes": [PRIZES[0] | {"amounts": [90, 50]}, PRIZES[1]]}, [("1.00 EUR", "0.90 EUR")]),
    ({"currency": "JPY"}, [("1.00 EUR", "100 JPY"), ("0.50 EUR", "50 JPY"), ("0.07 EUR", "7 JPY")]),
    ({"starts_on": "2025-12-31"}, [("0.07 EUR", None)]),
]
"""The changes of an event, and the prizes that are others by them."""


def test_prizes_that_players_have_are_accepted(organiser: Person) -> None:
    settings = {"prizes": PRIZES, "currency": "EUR", "tiebreaks": ["PTS", "TPN"]}
    event = make_running(organiser, 4, **settings)
    for entry in event.tournament.entries.all():
        body = {"birth_year": 2008, "reason": "asked"}
        organiser.patch(f"{event.path}/entries/{entry.pk}", body)
    event.play(1)

    for changes, moved in MOVED:
        with taken_back():
            answer = organiser.patch(event.path, changes | {"reason": "a sponsor"})
            if moved:
                problem = problem_in(answer, 409, "acceptance_needed")
                assert problem["accept"] == ["prizes_change"]
                assert [(row["before"], row["after"]) for row in problem["prize_changes"]] == moved
                body = changes | {"reason": "a sponsor", "accept": ["prizes_change"]}
                answer = organiser.patch(event.path, body)
            assert answer.status_code == 200, changes
            assert verify() == [], changes


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"birth_year": 2001}, []),
        ({"birth_year": 2020}, ["prizes_change"]),
        ({"seed_rating": 900}, ["ranks_change", "prizes_change"]),
    ],
)
def test_values_of_an_entry_on_which_the_published_depends_are_accepted(
    organiser: Person, change: dict[str, Any], codes: list[str]
) -> None:
    settings = {"prizes": PRIZES, "tiebreaks": ["PTS", "ARO"]}
    event = make_running(organiser, 4, **settings)
    for count, entry in zip((4, 3, 2, 1), event.tournament.entries.all(), strict=True):
        (warning,) = organiser.get(event.path).json()["warnings"]
        assert warning["detail"].startswith(f"entries without a year of birth ({count}): Player")
        organiser.patch(f"{event.path}/entries/{entry.pk}", {"birth_year": 2000, "reason": "age"})
    assert organiser.get(event.path).json()["warnings"] == []
    event.play(1)
    rows = organiser.get(f"{event.path}/standings").json()["rows"]
    leader, _, third, _ = [row["number"] for row in rows]
    (board,) = [board for board in boards(event, 1) if leader in board]
    (loser,) = {*board} - {leader}
    number = third if "birth_year" in change else loser
    entry = event.tournament.entries.get(pairing_number=number)
    path, body = f"{event.path}/entries/{entry.pk}", change | {"reason": "asked"}

    answer = organiser.patch(path, body)

    if codes:
        assert problem_in(answer, 409, "acceptance_needed")["accept"] == codes
        page, director = f"/e/spring/run/entries/{entry.pk}", login(organiser)
        form = {"action": "edit", "if_match": director.get(page).context["if_match"]} | body
        assert ticked(director.post(page, form)) == codes
        answer = organiser.patch(path, body | {"accept": codes})
        line = JournalLine.objects.select_related("payload").filter(kind="entry.edited")
        assert line.latest("sequence").payload.body["accepted"] == codes
    assert (answer.status_code, answer.json()["accept"]) == (200, codes)
    assert verify() == []


def test_unknown_codes_are_refused_with_those_that_there_are(organiser: Person) -> None:
    event = make_running(organiser, 4)
    event.draft(1)
    entry = event.tournament.entries.first()
    assert entry is not None
    changes = ["pairings_change", "ranks_change", "prizes_change"]
    broken = [
        "player_absent", "several_byes", "rematch", "second_bye", "same_seats", "forbidden_pairs",
        "game_reported",
    ]  # fmt: skip
    for method, path, body, valid in (
        ("patch", "", {"rounds": 4, "reason": "x"}, changes),
        ("patch", f"/entries/{entry.pk}", {"club": "A", "reason": "x"}, changes),
        ("post", "/rounds/1/publish", {}, broken),
    ):
        answer = getattr(organiser, method)(f"{event.path}{path}", body | {"accept": ["bogus"]})
        (error,) = problem_in(answer, 422, "invalid")["errors"]
        assert error["pointer"] == "/accept/0"
        assert error["detail"] == f"accept is 'bogus'; valid are: {', '.join(valid)}"


def test_another_ranking_needs_none_before_round_1(organiser: Person) -> None:
    event = make_running(organiser, 4)
    event.draft(1)

    assert organiser.patch(event.path, {"tiebreaks": ["PTS"]}).status_code == 200


def test_other_tiebreaks_list_the_ranks_that_change(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    def ranks() -> dict[int, int]:
        rows = anonymous.get(f"{event.path}/standings").json()["rows"]
        return {row["number"]: row["rank"] for row in rows}

    before, lines = ranks(), JournalLine.objects.count()
    accept = {"reason": "as in the printed rules", "accept": ["ranks_change"]}
    body = {"tiebreaks": ["PTS", "WON"], **accept}

    preview = organiser.patch(f"{event.path}?dry_run=1", body).json()["rank_changes"]

    assert (ranks(), JournalLine.objects.count()) == (before, lines)
    assert organiser.patch(event.path, body).json()["rank_changes"] == preview
    after = ranks()
    assert preview
    assert {row["number"]: (row["before"], row["after"]) for row in preview} == {
        number: (before[number], after[number])
        for number in before
        if before[number] != after[number]
    }
    assert verify() == []


@pytest.mark.parametrize("body", [{"tiebreaks": ["PTS", "WON"]}, {"unrated_rating": 1200}])
def test_another_ranking_needs_a_reason_once_round_1_is_published(
    organiser: Person, event: Event, body: dict[str, Any]
) -> None:
    problem = problem_in(organiser.patch(event.path, body), 422, "reason_needed")
    same = {name: organiser.get(event.path).json()[name] for name in body}

    assert problem["errors"][0]["pointer"] == "/reason"
    assert organiser.patch(event.path, same).status_code == 200
    accept = {"reason": "a slip", "accept": ["ranks_change"]}
    assert organiser.patch(event.path, body | accept).status_code == 200
    line = JournalLine.objects.select_related("payload").filter(kind="tournament.edited").last()
    assert line is not None
    assert line.payload.body | body == line.payload.body
    assert line.payload.body["reason"] == "a slip"
    assert verify() == []


def test_the_dates_contain_those_of_the_rounds(organiser: Person, event: Event) -> None:
    organiser.patch(f"{event.path}/rounds/3", {"starts_on": "2026-05-02"})
    assert organiser.patch(event.path, {"ends_on": "2026-05-02"}).status_code == 200
    answer = organiser.patch(event.path, {"ends_on": "2026-05-01"})
    problem = problem_in(answer, 422, "outside_tournament")
    assert problem["errors"][0]["detail"] == (
        "these rounds would be outside the event: round 3 (2026-05-02); change the days of these"
        " rounds first"
    )
