"""Creating an event in steps."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.rules.registry import GAMES
from ratings.models import Pool
from tests.people import Person
from tournament.events.settings_form import game_choices
from tournament.models import Tournament
from tournament.pairing.usual_tiebreaks import ranking_without_points, usual_tiebreaks

pytestmark = pytest.mark.any_database

SETTINGS = {
    "name": "Spring Open",
    "starts_on": "2026-05-01",
    "ends_on": "2026-05-03",
    "time_zone": "Europe/Lisbon",
    "ruleset": "star-star",
    "board_size": "6",
    "swap": "true",
    "games_per_pairing": "1",
    "system": "monrad",
    "rounds": "5",
    "tiebreaks": "PTS, BH",
    "public": "true",
    "rated": "false",
}


def send(person: Person, form: dict[str, Any]) -> HttpResponse:
    client = Client()
    client.force_login(person.account)
    response = client.post("/new", form)
    is_step = response.status_code == 303 and response["Location"].startswith("/new")
    return client.get(response["Location"]) if is_step else response


def step(response: HttpResponse) -> str:
    """Return the step that a page shows, and its errors."""
    page = response.content.decode()
    number = page.split('name="step" value="')[1][0]
    errors = page.split('class="error">')[1:]
    return " ".join([number, *(text.split("<")[0] for text in errors)])


@pytest.mark.parametrize(
    ("number", "go", "changes", "expected"),
    [
        ("0", "1", {}, "1"),
        ("0", "1", {"name": ""}, "0 this is needed"),
        ("0", "1", {"board_size": "77"}, "1"),  # a later step does not matter yet
        (
            "1",
            "2",
            {"board_size": "77"},
            "1 &#x27;77&#x27; is not a board of *Star; valid: rings: 4, 6, 8 or 10",
        ),
        ("1", "0", {}, "0"),
        ("2", "3", {"tiebreaks": "PTS XX YY"}, "2 XX is not a tie-break; YY is not a tie-break; v"),
        ("3", "create", {"ends_on": "2026-04-01"}, "0 the event ends before it starts"),
    ],
)
def test_a_step_shows_the_next_one_or_its_errors(
    organiser: Person, number: str, go: str, changes: dict[str, str], expected: str
) -> None:
    response = send(organiser, SETTINGS | changes | {"step": number, "go": go})

    assert step(response).startswith(expected)
    assert response.status_code == (200 if len(expected) == 1 else 422)
    assert not Tournament.objects.exists()


def test_unknown_codes_stay_in_their_box_and_the_usual_ones_in_the_list(organiser: Person) -> None:
    response = send(organiser, SETTINGS | {"tiebreaks": "FOO BAR", "step": "2", "go": "same"})

    field = response.context["fields"]["tiebreaks"]
    assert field.codes == "FOO BAR"
    assert field.value == list(usual_tiebreaks("monrad"))


def test_two_games_are_asked_for_only_where_a_pairing_may_have_them(organiser: Person) -> None:
    for system, games, is_asked in (
        ("dutch", "1", True),
        ("knockout", "1", False),
        ("knockout", "2", True),
    ):
        form = {"system": system, "games_per_pairing": games, "step": "2", "go": "same"}
        fields = send(organiser, SETTINGS | form).context["fields"]
        assert ("games_per_pairing" in fields) == is_asked, (system, games)


def test_byes_and_late_entries_are_asked_for_only_where_there_are_any(organiser: Person) -> None:
    asked = {"half_byes", "half_byes_until_round", "missed_rounds"}
    for system, expected in (("monrad", asked), ("knockout", set()), ("round-robin", set())):
        response = send(organiser, SETTINGS | {"system": system, "step": "2", "go": "same"})
        assert response.context["fields"].keys() & asked == expected, system


def test_a_pool_that_does_not_rate_the_game_is_named_at_its_field(organiser: Person) -> None:
    Pool.objects.update_or_create(
        code="star", defaults={"name": "Star", "preset": "fixed", "rated_games": {"hex": ["11"]}}
    )
    form = SETTINGS | {"rated": "true", "pool": "star", "step": "3", "go": "create"}
    response = send(organiser, form)

    assert response.status_code == 422
    assert step(response).startswith("3 the pool star does not rate *Star on board 6")
    assert response.context["fields"]["pool"].errors
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("settings", "pools"),
    [
        ({}, ["fast", "star"]),
        ({"main_minutes": "90"}, ["star"]),
        ({"ruleset": "hex", "board_of.hex": "11"}, ["hex"]),
        ({"ruleset": "hex", "board_of.hex": "13"}, []),
    ],
)
def test_only_the_pools_that_rate_the_games_can_be_chosen(
    organiser: Person, settings: dict[str, str], pools: list[str]
) -> None:
    Pool.objects.create(code="hex", rated_games={"hex": ["11"]})
    Pool.objects.create(code="fast", rated_games={"star-star": []}, time_classes=["rapid"])
    form = SETTINGS | {"main_minutes": "20", **settings, "step": "2", "go": "3"}

    field = send(organiser, form).context["fields"]["pool"]

    assert [code for code, _ in field.choices] == pools
    assert field.help.startswith("No pool") == (not pools)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ("true", "star", "star")),
        ({"rated": "false", "pool": "", "shown_pool": ""}, ("true", "star", "star")),
        ({"ruleset": "hex", "board_of.hex": "11"}, ("false", "", "")),
        ({"rated": "false"}, ("false", "star", "-")),
        ({"rated": "false", "pool": "", "shown_pool": "-"}, ("false", "", "-")),
    ],
)
def test_a_new_event_is_rated_where_a_pool_rates_its_games(
    organiser: Person, changes: dict[str, str], expected: tuple[str, ...]
) -> None:
    Pool.objects.filter(code="star").update(rated_games={"star-star": []})
    proposed = {"rated": "true", "pool": "star", "shown_pool": "star"}

    fields = send(organiser, SETTINGS | proposed | changes | {"step": "2", "go": "3"}).context[
        "fields"
    ]

    assert tuple(str(fields[name].value) for name in ("rated", "pool", "shown_pool")) == expected
    client = Client()
    client.force_login(organiser.account)
    page = client.get("/new").content.decode()
    assert 'name="rated" value="true"' in page
    assert 'name="pool" value="star"' in page


def boards_of(settings: dict[str, str]) -> dict[str, str]:
    """Return the boards of all games as the form sends them, whose usual ones are chosen."""
    return settings | {f"board_of.{code}": GAMES[code].first_board for code, _ in game_choices()}


def test_a_new_event_begins_on_the_board_of_tournaments(organiser: Person) -> None:
    client = Client()
    client.force_login(organiser.account)
    page = client.get("/new").content.decode()

    assert 'name="board_of.star-star" value="10"' in page


@pytest.mark.parametrize("game", ["hex", "twixt"])
def test_each_game_has_its_own_boards(organiser: Person, game: str) -> None:
    """Another game never keeps the board of the one that was shown before."""
    page = send(organiser, boards_of(SETTINGS) | {"ruleset": game, "step": "0", "go": "1"})
    field = page.context["fields"]["ruleset"]
    assert [code for code, _, is_chosen, _ in field.games if is_chosen] == [game]
    board = field.boards[game]
    assert board.value == GAMES[game].first_board
    assert board.kind == ("select" if game == "twixt" else "text")
    assert f'src="/rules/{game}/board.svg' in page.content.decode()
    form = boards_of(SETTINGS) | {"ruleset": game, "step": "3", "go": "create"}
    assert send(organiser, form).status_code == 303
    assert Tournament.objects.get().board == GAMES[game].first_board


def test_a_board_that_is_none_is_told_beside_its_game(organiser: Person) -> None:
    form = boards_of(SETTINGS) | {"ruleset": "hex", "board_of.hex": "77x", "step": "1", "go": "2"}
    response = send(organiser, form)
    assert response.status_code == 422
    boards = response.context["fields"]["ruleset"].boards
    assert [code for code, board in boards.items() if board.errors] == ["hex"]
    assert boards["hex"].value == "77x"
    page = response.content.decode()
    assert '<input id="field-board_size" name="board_of.hex" value="77x"' in page


@pytest.mark.parametrize(
    ("system", "options", "places", "typed", "expected"),
    [
        ("knockout", {}, "16", "5", 4),
        ("knockout", {"system_options.best_of": "3"}, "8", "5", 9),
        ("knockout", {}, "", "5", 5),
        ("round-robin", {"system_options.cycles": "2"}, "4", "5", 6),
        ("monrad", {}, "16", "5", 5),
    ],
)
def test_the_rounds_that_a_system_needs_follow_the_places(
    organiser: Person, system: str, options: dict[str, str], places: str, typed: str, expected: int
) -> None:
    form = SETTINGS | {"system": system, "places": places, "rounds": typed} | options
    form.pop("tiebreaks")

    back = send(organiser, form | {"step": "3", "go": "2"})
    created = send(organiser, form | {"step": "3", "go": "create"})

    assert str(back.context["fields"]["rounds"].value) == str(expected)
    assert (created.status_code, Tournament.objects.get().rounds) == (303, expected)


def test_the_time_zone_follows_the_country_until_one_is_chosen(
    organiser: Person, settings: Any
) -> None:
    def zone_after(**changes: str) -> str:
        form = SETTINGS | {"time_zone": settings.SITE_TIME_ZONE, "step": "0", "go": "same"}
        return str(send(organiser, form | changes).context["fields"]["time_zone"].value)

    assert zone_after() == settings.SITE_TIME_ZONE
    assert zone_after(country="POL") == zone_after(country="pol") == "Europe/Warsaw"
    assert zone_after(country="AUS") == "Australia/Sydney"
    assert zone_after(country="XXX") == settings.SITE_TIME_ZONE
    assert zone_after(country="POL", time_zone="Europe/Lisbon") == "Europe/Lisbon"
    assert zone_after(country="POL", shown_country="POL") == settings.SITE_TIME_ZONE
    following = {"country": "POL", "time_zone": settings.SITE_TIME_ZONE}
    send(organiser, SETTINGS | following | {"step": "3", "go": "create"})
    assert Tournament.objects.get().time_zone == "Europe/Warsaw"


def test_the_last_step_creates_the_event(organiser: Person) -> None:
    options = {"system": "knockout", "system_options.best_of": "3", "rounds": "3"}
    response = send(organiser, SETTINGS | options | {"step": "3", "go": "create"})

    assert (response.status_code, response["Location"]) == (
        303,
        "/e/spring-open/run/setup?done=create",
    )
    event = Tournament.objects.get()
    assert (event.created_by, event.system_options) == (
        organiser.account,
        {"best_of": 3},
    )
    assert (event.tiebreaks, event.public, event.rated) == (["PTS", "BH"], True, False)

    again = send(organiser, SETTINGS | {"step": "3", "go": "create"})
    assert (again.status_code, step(again)[:30]) == (409, "0 another event has the addres")
    other = {"slug": "spring-open-2", "step": "3", "go": "create"}
    assert send(organiser, SETTINGS | other)["Location"] == "/e/spring-open-2/run/setup?done=create"


def test_a_step_keeps_what_was_typed_until_the_event_is_created(organiser: Person) -> None:
    client = Client()
    client.force_login(organiser.account)
    begun = "You have begun this event"
    for last in ({"action": "forget"}, SETTINGS | {"step": "3", "go": "create"}):
        client.post("/new", SETTINGS | {"step": "0", "go": "1"})
        assert step(client.get("/new?step=1")) == "1"
        for path, is_told in (("/new", True), ("/new?step=0", False)):
            page = client.get(path).content.decode()
            assert (begun in page, 'value="Spring Open"' in page) == (is_told, True), path
        client.post("/new", last)
        page = client.get("/new").content.decode()
        assert (begun in page, 'value="Spring Open"' in page) == (False, False)


def test_a_ranking_begins_with_a_score() -> None:
    assert ranking_without_points(["BH/C1", "BH", "DE"]) is not None
    for code in ("PTS", "MMS", "GPTS"):
        assert ranking_without_points([code, "BH"]) is None
