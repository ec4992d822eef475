"""`me/games`, `me/entries` and `me/next`: what is the caller's own, and what to do next."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.core.references import absolute_url, page_url
from games.models import Game
from games.play.proposals import answer_proposal
from tests.api.one_of_each import holder_of
from tests.events import FIRST_WINS, SECOND_WINS, make_event, make_published, settle
from tests.people import Person, player_of, problem_in
from tournament.entries.links import create_links

QUERIES = {"next": 9, "games": 5, "entries": 3}


def steps(person: Person) -> list[dict[str, Any]]:
    page = person.get("me/next").json()
    assert (page["next"], page["previous"]) == (None, None)
    found: list[dict[str, Any]] = page["results"]
    return found


def to_do(*people: Person) -> list[str]:
    return [step["to_do"] for person in people for step in steps(person)]


def report(person: Person, game: Game, record: str) -> None:
    assert person.post(f"games/{game.pk}/reports", {"record": record}).status_code == 202
    settle()


def propose(by: Person, to: Person) -> Game:
    body = {
        "opponent_id": player_of(to).pk,
        "ruleset": "star-star",
        "board_size": "4",
        "seat": "first",
    }
    answer = by.post("games", body)
    assert answer.status_code == 201, answer.content
    return Game.objects.get(pk=answer.json()["id"])


def test_the_next_game_of_an_event(organiser: Person, ada: Person, ben: Person) -> None:
    event = make_event(organiser, time_zone="Europe/Lisbon", rounds=2)
    mine, other = event.enter(player_of(ada), player_of(ben))
    assert steps(ada) == []
    event.step("open", "start")
    waiting = {
        "tournament": {"slug": "spring", "name": "Spring Open"},
        **dict.fromkeys(("round", "board", "opponent", "seat", "game_id", "starts_at")),
        "to_do": "wait",
        "url": absolute_url("tournaments/spring"),
        "page_url": page_url("e/spring/me"),
    }
    assert steps(ada) == [waiting]
    event.draft(1)
    assert steps(ada) == [waiting]

    (game,) = event.publish(1)

    answer = ada.get("me/next")
    seat = "first" if game.first == mine.player else "second"
    assert answer.json()["results"] == [
        waiting
        | {
            "round": 1,
            "board": 1,
            "opponent": {"id": other.player_id, "name": "Ben", "country": "POR", "club": None},
            "seat": seat,
            "game_id": game.pk,
            "to_do": "report",
            "url": absolute_url(f"games/{game.pk}"),
        }
    ]
    assert len(answer.content) < 1000
    report(ada, game, FIRST_WINS)
    assert to_do(ada, ben) == ["wait", "confirm"]
    report(ben, game, SECOND_WINS)
    assert to_do(ada, ben) == ["confirm", "wait"]
    assert ada.post(f"games/{game.pk}/dispute", {"reason": "no"}).status_code in (200, 202)
    assert to_do(ada, ben) == ["wait", "wait"]
    event.finish(1)
    (done,) = steps(ada)
    assert (done["round"], done["game_id"], done["to_do"]) == (1, None, "wait")


@pytest.mark.parametrize(("hours", "word"), [(1, "play"), (-1, "report")])
def test_a_round_that_has_not_begun(
    organiser: Person, ada: Person, ben: Person, hours: int, word: str
) -> None:
    event = make_published(organiser, ada, ben)
    at = (timezone.now() + timedelta(hours=hours)).replace(second=0, microsecond=0)
    event.tournament.round_set.filter(number=1).update(
        starts_on=at.date(), start_time=at.time().replace(tzinfo=None)
    )

    (step,) = steps(ada)

    assert datetime.fromisoformat(step["starts_at"]) == at.astimezone(UTC)
    assert step["to_do"] == word


def test_a_bye_a_league_and_two_games(organiser: Person, ada: Person, ben: Person) -> None:
    league = make_event(
        organiser, slug="league", system="round-robin", system_options={"schedule": "league"},
        rounds=2, games_per_pairing=2,
    )  # fmt: skip
    entries = league.enter(player_of(ada), player_of(ben))
    league.step("open", "start")
    first = league.games(1)[0]
    assert [step["game_id"] for step in steps(ada)] == [first.pk]
    report(ada, first, FIRST_WINS)
    report(ben, first, FIRST_WINS)
    (step,) = steps(ada)
    back = Game.objects.get(pk=step["game_id"])
    assert (step["round"], back.place.split("/")[0]) == (1, "1")
    assert back.pk != first.pk
    holder = {"first": back.first_id, "second": back.second_id}[step["seat"]]
    assert holder == entries[0].player_id

    alone = make_event(organiser, slug="alone", rounds=1)
    alone.enter(player_of(ada), player_of(ben))
    alone.step("open", "start")
    entry = alone.tournament.entries.get(player=player_of(ben))
    organiser.post(f"{alone.path}/entries/{entry.pk}/withdraw")
    alone.publish(1)
    (bye,) = [step for step in steps(ada) if step["tournament"]["slug"] == "alone"]
    assert (bye["round"], bye["board"], bye["opponent"], bye["seat"]) == (1, None, None, None)
    assert bye["to_do"] == "wait"


def test_casual_games(ada: Person, ben: Person) -> None:
    game = propose(ada, ben)
    assert to_do(ada, ben) == ["wait", "answer"]
    answer_proposal(game, "accept", by=ben.account)
    (step,) = steps(ben)
    assert step["tournament"] is None
    assert step["opponent"]["name"] == "Ada"
    assert (step["game_id"], step["to_do"]) == (game.pk, "report")
    assert step["page_url"] == page_url(f"games/{game.pk}/reports")
    report(ben, game, FIRST_WINS)
    assert to_do(ada, ben) == ["confirm", "wait"]
    report(ada, game, FIRST_WINS)
    assert to_do(ada, ben) == []


def test_own_games_and_entries(organiser: Person, ada: Person, ben: Person) -> None:
    event = make_published(organiser, ada, ben)
    (game,) = event.games()
    proposed = propose(ada, ben)
    other = make_event(organiser, slug="other")
    (entry,) = other.enter(player_of(ada), agreement="declined")
    make_event(organiser, slug="draft").enter(player_of(ada))
    other.step("open")

    def found(query: str) -> list[int]:
        return [row["id"] for row in ada.get(f"me/games?{query}").json()["results"]]

    assert found("") == [proposed.pk, game.pk]
    assert found("state=open,waiting") == [game.pk]
    assert found("limit=1") == [proposed.pk]
    (row,) = ada.get("me/games?state=open").json()["results"]
    assert row == ada.get(f"games/{game.pk}").json()
    (own,) = ada.get("me/entries").json()["results"]
    assert own.pop("tournament") == {"slug": "spring", "name": "Spring Open"}
    assert own == ada.get(f"{event.path}/entries/{own['id']}").json()
    entry.agreement = "asked"
    entry.save()
    rows = ada.get("me/entries").json()["results"]
    assert [row["agreement"] for row in rows] == ["asked", "agreed"]
    assert ada.get("me/entries?state=withdrawn").json()["results"] == []
    assert organiser.get("me/entries").json()["results"] == []


def test_a_personal_link_sees_its_event(organiser: Person, ada: Person, ben: Person) -> None:
    event = make_published(organiser, ada, ben)
    make_published(organiser, ada, ben, slug="other")
    propose(ada, ben)
    create_links(event.tournament, by=organiser.account)
    entry = event.tournament.entries.get(player=player_of(ada))
    link = holder_of(entry)

    assert len(steps(ada)) == 3
    assert [step["tournament"]["slug"] for step in steps(link)] == ["spring"]
    assert len(link.get("me/games").json()["results"]) == 1
    assert [row["id"] for row in link.get("me/entries").json()["results"]] == [entry.pk]
    for name in QUERIES:
        problem_in(ada.with_token("webhook:write").get(f"me/{name}"), 403, "scope_missing")


@pytest.mark.parametrize("count", [1, 3])
def test_the_queries_do_not_grow(
    organiser: Person,
    ada: Person,
    ben: Person,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(count):
        event = make_published(organiser, ada, ben, slug=f"event-{number}")
        (game,) = event.games()
        report(ben, game, FIRST_WINS)
        report(ben, _accepted(ben, ada), FIRST_WINS)
    for name, queries in QUERIES.items():
        with django_assert_num_queries(queries):
            rows = ada.get(f"me/{name}").json()["results"]
        assert len(rows) == (count if name == "entries" else 2 * count)


def _accepted(by: Person, other: Person) -> Game:
    game = propose(by, other)
    answer_proposal(game, "accept", by=other.account)
    return game
