"""Events in which the stronger player may advise the other: games, records, ratings, pages."""

import pytest

from games.models import Game
from tests.events import Event, settle
from tests.people import Person, problem_in
from tests.tournament.conftest import OpenPage
from tests.tournament.events.test_verify_state import verify
from tests.tournament.handicaps import make_handicap_event

pytestmark = pytest.mark.django_db

C_IS_ADVISED = 'C may be advised in this game, so its record has [Advice "second"]'
RATINGS = (1500, 1500, 1150, 0)
GAME = """[Game "star-star"]
[Board "10"]
{advice}
1. S10 T10 agreed 26-25
"""


@pytest.fixture
def event(organiser: Person) -> Event:
    """A round robin of two players of 1500 points, one of 1150, one unrated; as a league."""
    return make_handicap_event(
        organiser, RATINGS, handicaps="none", system="round-robin", rounds=3, advice=True,
        system_options={"schedule": "league"},
        games_per_pairing=2, points={"win": 2, "draw": 1, "loss": 0}, tiebreaks=["PTS"],
    )  # fmt: skip


def game_of(event: Event, first: str, second: str) -> Game:
    return Game.objects.get(stream=event.stream, first__name=first, second__name=second)


def test_the_lower_rating_is_advised_in_both_games(event: Event) -> None:
    rows = Game.objects.filter(stream=event.stream)
    advised = {
        f"{first}{second}": {"": "", "first": first, "second": second}[advice]
        for first, second, advice in rows.values_list("first__name", "second__name", "advice")
    }
    assert advised == {
        "AB": "", "AC": "C", "AD": "D", "BC": "C", "BD": "D", "CD": "D",
        "BA": "", "CA": "C", "DA": "D", "CB": "C", "DB": "D", "DC": "D",
    }  # fmt: skip
    assert verify() == []


@pytest.mark.parametrize(
    ("pair", "advice", "refusal"),
    [
        ("AD", '[Advice "second"]', ""),
        ("DA", '[Advice "first"]', ""),
        ("BC", '[Advice "first"]', C_IS_ADVISED),
        ("BC", "", C_IS_ADVISED),
        ("AB", '[Advice "second"]', "setting “The stronger player may advise the other”"),
    ],
)  # fmt: skip
def test_a_record_agrees_with_the_advice_of_its_game(
    event: Event, pair: str, advice: str, refusal: str
) -> None:
    game = game_of(event, *pair)
    body = {"record": GAME.format(advice=advice), "reason": "its sheet"}
    answer = event.owner.post(f"games/{game.pk}/rule", body)
    if refusal:
        (error,) = problem_in(answer, 422, "conditions_differ")["errors"]
        assert error["pointer"] == "/record/advice"
        assert refusal in error["detail"]
        return
    assert answer.status_code == 202, answer.json()
    settle()
    assert event.owner.get(f"games/{game.pk}").json()["winner"] == "first"


def test_pages_say_who_may_be_advised(event: Event, open_page: OpenPage) -> None:
    game = Game.objects.filter(stream=event.stream).exclude(advice="")[0]
    overview = open_page(f"/e/{event.tournament.slug}").content.decode()
    assert "the stronger player may advise the other" in overview
    name = getattr(game, game.advice).name
    assert f"<dt>Advised</dt><dd>{name}</dd>" in open_page(f"/games/{game.pk}").content.decode()
