"""Exact ties: shown, decided by the director, before the bracket of groups and in the standings."""

import re
from typing import Any

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, problem_in
from tests.tournament.conftest import login
from tests.tournament.groups import BEATS, make_groups, play_groups
from tests.tournament.imports import empty_tables
from tests.tournament.webhooks.messages import check_message
from tournament.events.verification import verify_tournament
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import write_bundle
from tournament.messages.feed import load_feed
from tournament.models import Tournament
from tournament.pairing import certificates as pure
from tournament.rounds.services import complete_round

pytestmark = pytest.mark.django_db
CIRCLE = {(2, 3), (3, 4), (4, 2)}


def boards(event: Event, number: int) -> set[frozenset[int]]:
    numbers = {e.player_id: e.pairing_number for e in event.tournament.entries.all()}
    return {
        frozenset((numbers[game.first_id], numbers[game.second_id])) for game in event.games(number)
    }


def decide(person: Person, event: Event, *players: int, **body: Any) -> Any:
    return person.post(
        f"{event.path}/ties", {"numbers": list(players), "by": "lot", "reason": "drawn"} | body
    )


def ties(person: Person, event: Event) -> list[dict[str, Any]]:
    return list(person.get(f"{event.path}/ties").json()["results"])


def test_the_announced_tiebreaks_decide_who_qualifies(organiser: Person) -> None:
    event = make_groups(organiser, ["PTS", "BPG", "TPN/R"])
    play_groups(event)

    rows = organiser.get(f"{event.path}/standings").json()["rows"]
    assert [row["number"] for row in rows if row["number"] in BEATS] == [1, 8, 5, 4]
    event.publish(4)

    assert boards(event, 4) == {frozenset({1, 3}), frozenset({2, 8})}
    text = organiser.get(f"{event.path}/rounds/4/certificate").content.decode()
    assert pure.RoundCertificate.parse(text).find_faults() == ()


@pytest.mark.parametrize("code", ["BH", "MARGIN"])
def test_a_list_that_cannot_rank_groups_is_refused(organiser: Person, code: str) -> None:
    event = make_event(organiser, system="groups-knockout", rounds=5)

    refused = organiser.patch(event.path, {"tiebreaks": ["PTS", code]})

    problem_in(refused, 422, "unknown_tiebreak")


class TestATieForPlacesThatQualify:
    @pytest.fixture
    def event(self, organiser: Person) -> Event:
        """Groups whose tie-breaks leave 4, 5 and 8 tied for the second place."""
        event = make_groups(organiser, ["PTS", "DE"])
        play_groups(event)
        return event

    def test_blocks_the_bracket_until_it_is_decided(self, organiser: Person, event: Event) -> None:
        check = organiser.post(f"{event.path}/rounds/4/check").json()
        problem = problem_in(organiser.post(f"{event.path}/rounds/4/pair"), 409, "tie_undecided")
        address = f"{settings.PUBLIC_URL}/api/v1/{event.path}/ties"
        assert (problem["numbers"], problem["url"]) == ([4, 5, 8], address)
        assert problem["detail"] == (
            "no tie-break separates 4 Player 4; 5 Player 5; 8 Player 8 (group A), who are tied for "
            "places that qualify; decide this by a play-off, by lot or by the seeds"
        )
        entries = dict(event.tournament.entries.values_list("pairing_number", "pk"))
        final = {"first_id": entries[1], "second_id": entries[2]}
        by_hand = {"pairings": [final], "reason": "as agreed"}
        answer = organiser.put(f"{event.path}/rounds/4/pairings", by_hand)
        assert problem_in(answer, 409, "tie_undecided")["detail"] == problem["detail"]
        (item,) = [item for item in check["items"] if item["blocks"]]
        assert (item["code"], item["numbers"]) == ("tie_undecided", [4, 5, 8])
        (tie,) = [tie for tie in ties(organiser, event) if tie["decides"]]
        assert (tie["after"], tie["numbers"], tie["by"]) == (3, [4, 5, 8], None)

        answer = decide(organiser, event, 5, 8, 4)

        assert answer.status_code == 200
        assert answer.json()["results"][0] == {
            "after": 3, "place": 2, "group": "A", "numbers": [5, 8, 4], "decides": True,
            "paired_as": "planned", "by": "lot", "reason": "drawn",
        }  # fmt: skip
        event.publish(4)
        assert boards(event, 4) == {frozenset({1, 3}), frozenset({2, 5})}
        text = organiser.get(f"{event.path}/rounds/4/certificate").content.decode()
        certificate = pure.RoundCertificate.parse(text)
        assert certificate.options["decided_ties"] == "3: 5 8 4"
        assert certificate.find_faults() == ()
        line = JournalLine.objects.select_related("payload").get(kind="tie.decided")
        assert line.payload.body["by"] == "lot"
        assert verify_tournament(event.stream) == []
        event.finish(4, "1-0")
        assert [tie for tie in ties(organiser, event) if tie["decides"]] == []
        event.play(5, "1-0")
        assert organiser.get(f"{event.path}/standings").status_code == 200

    def test_can_be_decided_again_before_the_bracket(self, organiser: Person, event: Event) -> None:
        decide(organiser, event, 5, 8, 4)
        decide(organiser, event, 8, 4, 5, by="play_off", reason="rapid games")
        event.publish(4)

        assert frozenset({2, 8}) in boards(event, 4)
        assert len(Tournament.objects.get().decided_ties) == 1

    def test_only_tied_players_are_ordered(self, organiser: Person, event: Event) -> None:
        for players in ((4, 5), (4, 5, 8, 1), (4, 5, 5), (2, 3), (4, 5, 99)):
            problem_in(decide(organiser, event, *players), 422, "not_tied")
        assert Tournament.objects.get().decided_ties == []

    def test_by_the_seeds_has_the_order_of_the_seeds(self, organiser: Person, event: Event) -> None:
        problem = problem_in(decide(organiser, event, 5, 8, 4, by="seed"), 422, "not_by_seeds")
        assert problem["detail"] == "by the seeds, the order is 4, 5, 8"
        assert decide(organiser, event, 4, 5, 8, by="seed").status_code == 200

    def test_is_decided_on_its_page(self, organiser: Person, event: Event) -> None:
        browser = login(organiser)
        address = "/e/spring/run/ties"
        for page in ("/e/spring", "/e/spring/run", "/e/spring/run/rounds/4"):
            shown = browser.get(page).content.decode()
            assert '"/e/spring/run/ties"' in shown, page
            assert "4 Player 4" in shown, page
        refused = browser.post("/e/spring/run/rounds/4", {"action": "pair", "if_match": "*"})
        assert refused.status_code == 409
        assert '"/e/spring/run/ties"' in refused.content.decode()
        form = {"action": "decide", "by": "lot", "reason": "as announced"}
        places = {"place.4": "4", "place.5": "2", "place.8": "3"}

        refused = browser.post(address, form | places | {"place.8": "2"})
        done = browser.post(address, form | places)

        assert refused.status_code == 422
        page = refused.content.decode()
        shown = re.findall(r'name="place.([458])".*?value="(\d)"', page)
        assert shown[:3] == [("4", "4"), ("5", "2"), ("8", "2")]
        assert done.status_code in (302, 303)
        assert ties(organiser, event)[0]["numbers"] == [5, 8, 4]
        page = browser.get(address).content.decode()
        assert re.findall(r'<li value="(\d)">(\d) ', page)[:3] == [
            ("2", "5"),
            ("3", "8"),
            ("4", "4"),
        ]

    def test_survives_a_bundle(self, organiser: Person, event: Event) -> None:
        decide(organiser, event, 5, 8, 4)
        event.tournament.refresh_from_db()
        content = write_bundle(event.tournament)
        empty_tables()

        import_bundle(content, by=organiser.account)

        again = Tournament.objects.get()
        assert again.decided_ties[0]["entries"] == event_ordinals(again, [5, 8, 4])
        assert verify_tournament(again.stream) == []


def event_ordinals(tournament: Tournament, numbers: list[int]) -> list[int]:
    ordinals = dict(tournament.entries.values_list("pairing_number", "ordinal"))
    return [ordinals[number] for number in numbers]


def test_a_tie_in_the_standings_is_decided(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, system="round-robin", rounds=3, tiebreaks=["PTS", "DE"])
    event.enter(*make_players(4))
    event.step("open", "start")
    numbers = {e.player_id: e.pairing_number for e in event.tournament.entries.all()}
    for number in (1, 2, 3):
        for game in event.publish(number):
            first, second = numbers[game.first_id], numbers[game.second_id]
            # 1 wins all games; 2 beats 3, 3 beats 4, and 4 beats 2.
            result = "1-0" if first == 1 or (first, second) in CIRCLE else "0-1"
            rule_game(game, by=organiser.account, reason="seen", result=result)
        settle()
        complete_round(event.tournament, number, by=organiser.account)
    event.step("review")
    assert "/e/spring/run/ties" in login(organiser).get("/e/spring/run").content.decode()
    (tied,) = ties(anonymous, event)
    assert (tied["place"], tied["numbers"], tied["decides"]) == (2, [2, 3, 4], False)

    browser, address = login(organiser), "/e/spring/run/ties"
    page = browser.get(address).content.decode()
    shown = re.findall(r'name="place.(\d)" .*?min="(\d)" max="(\d)" required value="(\d)"', page)
    assert shown == [("2", "2", "4", "2"), ("3", "2", "4", "3"), ("4", "2", "4", "4")]
    form = {"action": "decide", "by": "lot", "reason": "drawn", "place.2": "4", "place.3": "2"}
    for wrong in ("1", "2", "5", "", "x", "0", "9" * 30):
        assert browser.post(address, form | {"place.4": wrong}).status_code == 422
    assert browser.post(address, form | {"place.4": "3"}).status_code == 303

    after = anonymous.get(f"{event.path}/standings").json()
    assert [(row["rank"], row["number"]) for row in after["rows"]] == [
        (1, 1), (2, 3), (3, 4), (4, 2),
    ]  # fmt: skip
    assert after["decided"] == [{"numbers": [3, 4, 2]}]
    data = {
        "tournament": {"slug": "spring", "name": event.tournament.name},
        "round": 3,
        "by": "lot",
        "url": f"{settings.PUBLIC_URL}/api/v1/{event.path}/ties",
    }
    *_, last = load_feed(event.stream, after=0, limit=100)
    assert (last.kind, last.data) == ("tie.decided", data)
    check_message(last.as_message())
    assert verify_tournament(event.stream) == []
    event.step("finalise")
    problem_in(decide(organiser, event, 2, 3, 4), 409, "wrong_state")
    over = browser.get(address).content.decode()
    assert 'name="place.' not in over


@pytest.mark.parametrize("state", ["drafted", "published"])
def test_a_round_that_is_paired_by_another_order_is_accepted(organiser: Person, state: str) -> None:
    event = make_event(organiser, system="monrad", tiebreaks=["PTS"])
    event.enter(*make_players(6))
    event.step("open", "start").play(1)
    (winners, _) = ties(organiser, event)
    event.draft(2)
    if state == "published":
        organiser.post(f"{event.path}/rounds/2/publish")
    order, director = winners["numbers"][::-1], login(organiser)

    problem = problem_in(decide(organiser, event, *order), 409, "acceptance_needed")
    form = {f"place.{number}": str(place) for place, number in enumerate(order, start=1)}
    form |= {"action": "decide", "by": "lot", "reason": "drawn"}
    rejected = director.post("/e/spring/run/ties", form)

    assert problem["accept"] == ["pairings_change"]
    assert [due["round"] for due in problem["due_rounds"]] == [2]
    assert 'name="accept[]" value="pairings_change"' in rejected.content.decode()
    accepted = director.post("/e/spring/run/ties", form | {"accept[]": problem["accept"]})
    assert accepted.status_code == 303
    expected = "planned" if state == "drafted" else "published"
    assert organiser.get(f"{event.path}/rounds/2").json()["state"] == expected
    assert verify_tournament(event.stream) == []


def test_the_queries_do_not_grow_with_the_ties(
    organiser: Person, anonymous: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = make_event(organiser, system="dutch", rounds=3, tiebreaks=["PTS"])
    event.enter(*make_players(8))
    event.step("open", "start")
    for number, found in ((1, 2), (2, 3)):
        event.play(number)
        with django_assert_num_queries(6):
            assert len(ties(anonymous, event)) == found
