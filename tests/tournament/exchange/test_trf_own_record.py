"""What TRF has no place for: our own comment has it, and the import lists what is lost."""

from typing import Any

import pytest

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tests.tournament.imports import HEADER, import_trf, post_trf
from tests.tournament.standings.events import swiss
from tests.tournament.trf.files import trf_of
from tournament.core.queries import last_complete_round
from tournament.core.rankings import compute_table
from tournament.events.verification import verify_tournament
from tournament.models import Entry, Tournament
from tournament.models.settings import TRF_SETTINGS
from tournament.standings.points import CLASSIC
from tournament.trf import TrfEdition, TrfFile, read_trf, write_trf
from tournament.trf.own_record import OwnRecord

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
EVENTS: dict[str, dict[str, Any]] = {
    "groups": {
        "system": "groups-knockout", "rounds": 3, "tiebreaks": ["PTS", "DE", "SB"],
        "system_options": {"groups": 4, "advance": 1},
    },
    "mcmahon": {
        "system": "mcmahon",
        "system_options": {"band": 90, "bar": 1400, "floor": 1000, "pairing_method": "slide"},
        "unrated_rating": 1200, "balance_seats": False,
    },
    "knockout": {
        "system": "knockout", "system_options": {"third_place": True, "level": "second-seat"},
    },
    "round robin": {
        "system": "round-robin", "rounds": 7,
        "system_options": {"withdrawn": "keep", "numbers": "lot", "absence": "bye"},
    },
    "handicaps": {
        "system": "dutch", "handicaps": "recommended", "handicap_share": 50, "handicap_cap": 2,
        "handicap_kinds": ["points"], "half_byes": 2, "half_byes_until_round": 2,
        "missed_rounds": "half",
    },
}  # fmt: skip


def settings_of(tournament: Tournament) -> dict[str, Any]:
    settings = {name: getattr(tournament, name) for name in ("system", *TRF_SETTINGS)}
    if tournament.handicaps == "none":
        settings.pop("handicap_table")  # the start sets it in every event
    return settings


def export(tournament: Tournament, edition: TrfEdition = TrfEdition.TRF16) -> str:
    return trf_of(tournament, through=last_complete_round(tournament), edition=edition)


def own_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("### Perihelion")]


def played(organiser: Person, through: int, **settings: Any) -> Event:
    event = make_event(organiser, **settings)
    players = make_players(8)
    for place, player in enumerate(players):
        player.seed_rating = 1500 - 90 * place
        player.save()
    event.enter(*players)
    event.step("open", "start")
    for number in range(1, through + 1):
        event.play(number, "10-11" if number % 2 else "11-10")
    return event


@pytest.mark.parametrize("name", EVENTS)
def test_the_settings_of_an_event_come_back_and_pair_the_next_round(
    organiser: Person, name: str
) -> None:
    event = played(organiser, 1 if name == "groups" else 2, **EVENTS[name])
    number = last_complete_round(event.tournament) + 1
    text = export(event.tournament, TrfEdition.TRF26)
    assert len(own_lines(text)) == 1

    found = import_trf(text, by=organiser.account, slug="copy", board_size="4")

    assert (found.left_out, found.ranks) == ([], [])
    assert {compared["why"] for compared in found.rounds} == {None}
    event.tournament.refresh_from_db()
    assert settings_of(found.tournament) == settings_of(event.tournament)
    assert export(found.tournament, TrfEdition.TRF26) == text
    copy = Event(found.tournament, organiser)
    pairs = [
        [
            (pairing.first.pairing_number, pairing.second and pairing.second.pairing_number)
            for pairing in each.tournament.pairings.filter(round__number=number).order_by("pk")
        ]
        for each in (event, copy)
        if each.publish(number) is not None
    ]
    assert pairs[0] == pairs[1] != []
    assert verify_tournament(copy.stream) == []


def test_the_handicaps_and_the_advice_of_games_come_back(organiser: Person) -> None:
    """The ratings depend on them."""
    settings = EVENTS["handicaps"] | {"advice": True}
    event = played(organiser, 1, **settings)
    event.publish(2)
    text = export(event.tournament)

    found = import_trf(text, by=organiser.account, slug="copy", board_size="4")

    columns = ("round__number", "first__pairing_number", "handicap", "game__handicap")
    columns += ("game__advice",)
    rows = [
        [*tournament.pairings.order_by(*columns).values_list(*columns)]
        for tournament in (event.tournament, found.tournament)
    ]
    assert rows[0] == rows[1]
    assert {row[2] for row in rows[0]} > {""} or all(row[2] for row in rows[0])
    assert {row[4] for row in rows[0]} <= {"first", "second"}
    assert (found.left_out, export(found.tournament)) == ([], text)
    other = import_trf(text, by=organiser.account, slug="other", ruleset="star-y", board_size="10")
    assert "the handicaps of the games" in other.left_out


def test_preferences_among_the_separations_come_back(organiser: Person) -> None:
    players = [{"by": "club", "preference": True, "last_round": 2}, {"by": "country"}]
    event = make_event(organiser, system="dutch", rounds=4, separations=players)
    entered = make_players(6)
    for player in entered[:4]:
        player.club, player.country = ("Harbour", "ESP")
        player.save()
    event.enter(*entered)
    event.step("open", "start")
    text = export(event.tournament)
    assert '"preferences": [{"players": [1, 2, 3, 4], "first_round": 1, "last_round": 2}]' in text

    found = import_trf(text, by=organiser.account, slug="copy")

    kept = [(s["preference"], s["by"], len(s["players"])) for s in found.tournament.separations]
    assert kept == [(False, "country", 0), (True, "players", 4)]
    assert (found.left_out, export(found.tournament)) == ([], text)
    shown = organiser.client.get(f"/api/v1/{event.path}/standings.trf").content.decode()
    assert own_lines(shown) == []


def test_cancelled_games_of_a_round_robin_are_no_difference(organiser: Person) -> None:
    event = played(organiser, 1, **EVENTS["round robin"])
    entry = event.tournament.entries.get(pairing_number=3)
    assert organiser.post(f"{event.path}/entries/{entry.pk}/withdraw").status_code == 200
    event.play(2, "10-11")

    found = import_trf(export(event.tournament), by=organiser.account, slug="copy")

    assert [compared["agrees"] for compared in found.rounds] == [True, True]


@pytest.mark.parametrize("is_preference", [False, True])
def test_clubs_kept_apart_are_one_separation_again_where_they_are_known(
    organiser: Person, is_preference: bool
) -> None:
    by_club = {"by": "club", "preference": is_preference}
    event = make_event(organiser, system="dutch", rounds=4, separations=[by_club])
    entered = make_players(6)
    for place, player in enumerate(entered):
        player.club = ("Pier", "Harbour", "harbour")[place % 3]
        player.save()
    event.enter(*entered)
    event.step("open", "start")
    text = export(event.tournament)

    known = import_trf(text, by=organiser.account, slug="known").tournament
    assert export(known) == text
    Player.objects.update(club="")
    other = import_trf(text, by=organiser.account, slug="other").tournament

    assert [kept["by"] for kept in known.separations] == ["club"]
    assert [kept["by"] for kept in other.separations] == ["players", "players"]
    assert export(other) == text


def test_who_left_came_late_or_was_expelled_comes_back(organiser: Person) -> None:
    event = played(organiser, 1, system="dutch", rounds=5)
    (late,) = make_players(1)
    late.name = "Late"
    late.save()
    event.enter(late)
    entries = event.tournament.entries.order_by("pairing_number")
    entries.filter(pairing_number=2).update(state=Entry.State.WITHDRAWN)
    entries.filter(pairing_number=3).update(
        state=Entry.State.WITHDRAWN, expelled="played with a computer"
    )
    entries.filter(pairing_number=4).update(last_round=3)
    entries.update(printed_number=None)
    event.play(2)
    text = export(event.tournament)

    found = import_trf(text, by=organiser.account, slug="copy")

    assert (found.left_out, found.ranks) == ([], [])
    columns = ("pairing_number", "state", "first_round", "last_round", "expelled")
    copied = found.tournament.entries.order_by("pairing_number")
    assert [*copied.values_list(*columns)] == [*entries.values_list(*columns)]
    assert not found.tournament.byes.exists()
    assert export(found.tournament) == text


def test_decided_ties_come_back(organiser: Person) -> None:
    event = played(organiser, 1, system="dutch", tiebreaks=["PTS"])
    rows = compute_table(event.tournament, through=1).rows
    numbers = [row.number for row in rows if row.rank == 1][::-1]
    body = {"numbers": numbers, "by": "lot", "reason": "drawn: Ü"}
    assert organiser.post(f"{event.path}/ties", body).status_code == 200
    event.tournament.refresh_from_db()
    text = export(event.tournament)

    found = import_trf(text, by=organiser.account, slug="copy")

    rows = compute_table(found.tournament, through=1).rows
    assert [row.number for row in rows[: len(numbers)]] == numbers
    assert found.tournament.decided_ties == event.tournament.decided_ties
    assert (found.ranks, found.left_out) == ([], [])
    assert export(found.tournament) == text


def test_an_event_of_the_usual_settings_has_no_such_line(organiser: Person) -> None:
    assert own_lines(export(played(organiser, 1, system="dutch").tournament)) == []


def test_options_of_the_import_replace_those_of_the_file(organiser: Person) -> None:
    text = write_trf(TrfFile(crosstable=swiss(1, points=CLASSIC), header=HEADER))
    query = "&system=mcmahon&dry_run=1"
    (unstated,) = post_trf(organiser, text, query)["left_out"]
    assert unstated == (
        "the options of the pairing system, which the file does not state; used are"
        " band=100, bar=, floor=, pairing_method=folded"
    )
    listed = post_trf(organiser, text, "&system=round-robin&dry_run=1")["left_out"]
    assert "withdrawn=strike_under_half" in listed[-1]
    stated = f"{query}&system_options=band=50,bar=2100,floor=,pairing_method=slide".replace(
        "floor=,", "floor=1000,"
    )
    assert post_trf(organiser, text, stated)["left_out"] == []
    own = OwnRecord(
        settings={"system": "mcmahon", "system_options": {"band": 20, "bar": 0, "floor": 900}}
    )
    text = write_trf(TrfFile(crosstable=swiss(1, points=CLASSIC), header=HEADER, own=own))
    found = post_trf(organiser, text, "&system=mcmahon&slug=two&system_options=band=30")
    assert found["left_out"] == ["the option bar: bar must be between 1 and 4000"]
    options = Tournament.objects.get(slug="two").system_options
    assert options == {"band": 30, "floor": 900}
    (other,) = post_trf(organiser, text, "&system=monrad&slug=three")["left_out"]
    assert other.startswith("the options of the pairing system mcmahon: band=20, bar=0")


@pytest.mark.parametrize(
    ("value", "code", "message"),
    [
        ("band", "invalid_parameter", "'band' is not an option with its value, as band=100"),
        (
            "bend=3",
            "system_option",
            "'bend' is not an option of this pairing system; valid options: band",
        ),
        ("band=x", "system_option", "band must be a whole number"),
    ],
)
def test_wrong_options_of_the_import_are_refused(
    organiser: Person, value: str, code: str, message: str
) -> None:
    text = write_trf(TrfFile(crosstable=swiss(1, points=CLASSIC), header=HEADER))
    address = (
        f"tournaments/import?ruleset=star-star&board_size=4&system=mcmahon&system_options={value}"
    )
    answer = organiser.post(address, text.encode(), content_type="text/plain")
    assert message in str(problem_in(answer, 422, code))


@pytest.mark.parametrize(
    ("settings", "left_out"),
    [
        ({"slope": [1]}, "the setting slope [1]: unknown"),
        ({"half_byes": 10**30}, "the setting half_byes 1"),
        ({"options": ["\0"], "ruleset": "star-star", "board_size": "10"}, "the setting options"),
        ({"handicap_table": "v99", "ruleset": "star-star", "board_size": "10"}, "v99"),
        ({"swap": False}, "the setting swap False: the event of the file had another game"),
    ],
)
def test_settings_that_cannot_be_used_are_listed(
    organiser: Person, settings: dict[str, Any], left_out: str
) -> None:
    own = OwnRecord(settings=settings)
    text = write_trf(TrfFile(crosstable=swiss(1, points=CLASSIC), header=HEADER, own=own))

    (listed,) = post_trf(organiser, text)["left_out"]

    assert left_out in listed


@pytest.mark.parametrize(
    "body",
    [
        "", "[]", "{", "[" * 9_000, '{"q": 1}', '{"settings": []}', '{"settings": NaN}',
        '{"settings": {"system_options": 1}}', '{"settings": {"unrated_rating": 1e400}}',
        '{"players": {"x": {}}}', '{"players": {"1": {"withdrawn": 1}}}',
        '{"players": {"1": {"first_round": true}}}', '{"players": {"1": {"expelled": 3}}}',
        '{"players": {"999": {"withdrawn": true}}}', '{"ties": [{}]}',
        '{"ties": 3}', '{"preferences": null}', '{"handicaps": {"1": []}}',
        '{"preferences": [{"players": [1, 2], "first_round": 3, "last_round": 2}]}',
        '{"ties": [{"after": 1, "players": [1, 1], "by": "lot", "reason": ""}]}',
    ],
)  # fmt: skip
def test_a_damaged_record_is_refused_with_its_line(organiser: Person, body: str) -> None:
    text = write_trf(TrfFile(crosstable=swiss(1, points=CLASSIC), header=HEADER))
    address = "tournaments/import?ruleset=star-star&board_size=4"
    content = f"### Perihelion {body}\n{text}".encode()
    answer = organiser.post(address, content, content_type="text/plain")
    (error,) = problem_in(answer, 422, "invalid_trf")["errors"]
    assert error["line"] == 1


def test_other_comments_stay_unknown() -> None:
    text = write_trf(TrfFile(crosstable=swiss(1, points=CLASSIC))) + "### Perihelions are near\n"
    assert [line.text for line in read_trf(text).unknown_lines] == ["### Perihelions are near"]
