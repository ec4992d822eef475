"""The page of a round: check, pair, change boards by picking two, publish, revert."""

from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from games.models import Game, Player
from tests.events import Event, make_event, make_players, make_running
from tests.people import Person, make_person, make_player, player_of
from tournament.models import Bye, Pairing

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/e/spring/run/rounds/1"


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """A running event with Ada and four others, and two rounds that are not paired."""
    event = make_running(make_person("Olga"), 4, rounds=2)
    event.enter(player_of(make_player("Ada", 2100)))
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def send(browser: Client, action: str, page: str = PAGE, **values: Any) -> Any:
    """Send a form for the page in any state; the button of a preview has `dry_run`."""
    address = f"{page}?dry_run=1" if values.pop("dry_run", False) else page
    body = {"action": action, "if_match": "*"} | values
    return browser.post(address, {name.replace("_list", "[]"): body[name] for name in body})


def boards(number: int = 1) -> list[tuple[Any, ...]]:
    """Return the board, and the players by number, as they are stored."""
    lines = Pairing.objects.filter(round__number=number, version=F("round__version"))
    return [
        (
            line.board_number,
            line.first.pairing_number,
            line.second.pairing_number if line.second else line.kind,
        )
        for line in lines.select_related("first", "second").order_by(
            F("board_number").asc(nulls_last=True), "first__pairing_number"
        )
    ]


def shown_boards(browser: Client) -> list[tuple[Any, ...]]:
    """Return them as the page shows them."""
    return [
        (
            row["board"],
            row["first"]["number"],
            row["second"]["number"] if row["second"] else row["kind"],
        )
        for row in browser.get(PAGE).context["rows"]
    ]


def picks(browser: Client, *numbers: int, page: str = PAGE) -> list[str]:
    """Return what the check boxes of these players send."""
    rows = browser.get(page).context["rows"]
    found = {
        row[seat]["number"]: row["picks"][seat]
        for row in rows
        for seat in ("first", "second")
        if row[seat]
    }
    return [found[number] for number in numbers]


PAIRED = [(1, 1, 3), (2, 4, 2), (None, 5, "pairing_bye")]


def test_a_round_is_checked_previewed_paired_and_published(director: Client, event: Event):
    assert send(director, "check", dry_run=True).context["preview"]["ready"]
    previewed = send(director, "pair", dry_run=True)
    assert [row["board"] for row in previewed.context["preview"]["rows"]] == [1, 2, None]
    assert shown_boards(director) == []

    assert send(director, "pair").headers["Location"] == f"{PAGE}?done=pair"
    assert shown_boards(director) == PAIRED
    assert send(director, "publish").status_code == 303
    assert Game.objects.count() == 2
    text = director.get(PAGE).content.decode()
    assert '<strong class="missing">2</strong> results are missing' in text
    assert "disabled>Complete the round</button>" in text


CHANGED = [
    ("swap", (1, 3), [(1, 3, 1), (2, 4, 2), (None, 5, "pairing_bye")]),
    ("swap", (2, 5), [(1, 1, 3), (2, 4, 5), (None, 2, "pairing_bye")]),
    ("swap-boards", (1, 2), [(1, 4, 2), (2, 1, 3), (None, 5, "pairing_bye")]),
    ("bye", (1, 3), [(2, 4, 2), (None, 1, "half_bye"), (None, 3, "half_bye"),
                     (None, 5, "pairing_bye")]),
]  # fmt: skip


@pytest.mark.parametrize(("action", "picked", "expected"), CHANGED)
def test_boards_change_by_picking_two_and_change_back(
    director: Client, event: Event, action: str, picked: tuple[int, int], expected: list[Any]
):
    event.draft(1)
    values = {"pick_list": picks(director, *picked), "reason": "by request", "bye": "half_bye"}

    previewed = send(director, action, dry_run=True, **values)
    assert boards() == PAIRED
    resent: dict[str, Any] = {}
    for name, value in previewed.context["resent"]:
        resent.setdefault(name, []).append(value)
    done = send(director, action, **resent)

    assert done.status_code == 303, done.content
    shown = director.get(done["Location"])
    assert boards() == shown_boards(director) == expected
    undo = shown.context["undo"]
    assert director.post(PAGE, {"action": undo.action, **undo.fields}).status_code == 303
    assert boards() == PAIRED


NO_CHANGES: list[tuple[str, tuple[int, ...]]] = [
    ("bye", ()), ("bye", (1, 2, 3)), ("swap-boards", (1, 3)), ("swap-boards", (1, 5)),
]  # fmt: skip


def test_picks_that_give_no_change(director: Client, event: Event) -> None:
    event.draft(1)
    for action, picked in NO_CHANGES:
        values = {"pick_list": picks(director, *picked), "reason": "x", "bye": "half_bye"}
        assert (picked, send(director, action, **values).status_code) == (picked, 422)
        assert boards() == PAIRED


def test_two_players_get_a_new_board(director: Client, event: Event) -> None:
    event.draft(1)
    assert (
        send(
            director, "bye", pick_list=picks(director, 1, 3), reason="x", bye="zero_bye"
        ).status_code
        == 303
    )
    values = {"pick_list": picks(director, 1, 5), "board": "1", "reason": "they play"}
    assert send(director, "seat", **values).status_code == 303
    assert boards() == [(1, 1, 5), (2, 4, 2), (None, 3, "zero_bye")]


BY_HAND = "1 2\n3 4 \n\n5 bye"


def test_a_whole_round_is_paired_by_hand(director: Client, event: Event):
    previewed = send(director, "by-hand", lines=BY_HAND, reason="by request", dry_run=True)
    assert [row["board"] for row in previewed.context["changed_boards"]] == [1, 2, None]
    assert boards() == []
    done = send(director, "by-hand", **dict(previewed.context["resent"]))

    assert done.status_code == 303, done.content
    assert boards() == [(1, 1, 2), (2, 3, 4), (None, 5, "pairing_bye")]
    assert director.get(PAGE).context["hand_lines"] == "1 2\n3 4\n5 bye"


@pytest.mark.parametrize(
    ("lines", "errors"),
    [
        ("1 2\n3 9\nx\n5 free", {"lines": ("line 2: no player of the event has the pairing "
         "number 9", "line 3: 'x' is not a board, such as 3 17, or a bye, such as 5 bye",
         "line 4: 'free' is not a bye")}),
        ("", {"lines": ("type a board in each line, such as 3 17",)}),
        ("5 " + "-" * 300_000 + "!", {"lines": (f"line 1: {'5 ' + '-' * 38!r} is not a board, such "
         "as 3 17, or a bye, such as 5 bye",)}),
        ("1 2\n\n3 4 9 stones\n5 bye", {"lines": ("line 3: the event has no handicaps, "
         "which the start has fixed",)}),
        ("1 2\n3 4", {"": ("5 Player 4 is present and has neither an opponent nor a bye",)}),
    ],
)  # fmt: skip
def test_wrong_lines_of_a_round_are_named(
    director: Client, event: Event, lines: str, errors: dict[str, Any]
):
    rejected = send(director, "by-hand", lines=lines, reason="typed before")

    assert rejected.status_code == 422
    assert dict(rejected.context["form"].errors) == errors
    assert 'value="typed before"' in rejected.content.decode()
    assert boards() == []


def names(director: Client) -> list[str]:
    """Return the players as the lists of the forms name them, by number."""
    found: list[str] = director.get(PAGE).context["numbered_names"]
    return found


def test_players_and_byes_of_a_round_are_chosen_by_name(director: Client, event: Event) -> None:
    Player.objects.filter(name__in=["Player 1", "Player 2"]).update(
        name="Ann Bo", folded_name="ann bo"
    )
    Player.objects.filter(pk=event.tournament.entries.get(pairing_number=1).player_id).update(
        club="Rooks"
    )
    listed = names(director)
    assert len({name.split(" ", 1)[1] for name in listed}) == 5
    assert director.get(PAGE).context["hand_rows"] == []
    page = director.get(f"{PAGE}?by-hand=1")
    assert page.context["hand_rows"] == [{}] * 4
    text = page.content.decode()
    others = text.partition('<datalist id="others">')[2].partition("</datalist>")[0]
    assert '<option value="half-point bye"></option>' in others
    assert f'<option value="{listed[2]}"></option>' in others

    rows = [(listed[0], listed[1]), ("", ""), (listed[2], "nobody"), (listed[4], "half-point bye")]
    sent = {
        f"row.{number}.{seat}": name
        for number, row in enumerate(rows, 1)
        for seat, name in zip(("first", "second"), row, strict=True)
    }
    wrong = send(director, "by-hand", **sent, reason="by request")
    assert wrong.status_code == 422
    assert "line 3: &#x27;nobody&#x27; is not a bye" in wrong.content.decode()
    assert (
        f'name="row.1.first" list="numbers" autocomplete="off" maxlength="140" value="{listed[0]}"'
        in wrong.content.decode()
    )

    sent["row.3.second"] = listed[3]
    previewed = send(director, "by-hand", **sent, reason="by request", dry_run=True)
    assert [row["board"] for row in previewed.context["changed_boards"]] == [1, 2, None]
    assert send(director, "by-hand", **dict(previewed.context["resent"])).status_code == 303
    assert boards() == [(1, 1, 2), (2, 3, 4), (None, 5, "half_bye")]
    again = director.get(f"{PAGE}?by-hand=1", headers={"Accept-Language": "de"}).context[
        "hand_rows"
    ]
    assert [row.get("second") for row in again] == [
        listed[1].replace("number", "Nummer"), listed[3], "Freilos mit halbem Punkt", None,
    ]  # fmt: skip


def test_one_player_is_chosen_by_number_and_name(director: Client, event: Event) -> None:
    listed = names(director)
    wrong = send(director, "grant-bye", player="Player", kind="zero_bye")
    assert wrong.status_code == 422
    assert "Player is no player of the event; choose one of the list" in wrong.content.decode()
    surname = Player.objects.get(entries__pairing_number=4)
    surname.name = "Zoë Byers-Łoś"
    surname.save()
    assert send(director, "grant-bye", player="bye", kind="zero_bye").status_code == 422
    assert send(director, "grant-bye", player="byers-los", kind="zero_bye").status_code == 303
    listed = names(director)
    assert Bye.objects.get().entry.pairing_number == 4
    rows = director.get(f"{PAGE}?by-hand=1").context["hand_rows"]
    assert rows == [{"first": listed[3], "second": "absent"}, {}, {}, {}]
    event.draft(1)
    one, other = ((row["first"], row["second"]) for row in hand_rows(director)[:2])
    asked = send(director, "explain", first_number=one[0], second_number=other[0], dry_run=True)
    assert asked.status_code == 200
    assert asked.context["preview"]["first"]["number"] == int(one[0].split()[0])


def hand_rows(director: Client) -> list[dict[str, str]]:
    found: list[dict[str, str]] = director.get(f"{PAGE}?by-hand=1").context["hand_rows"]
    return found


WRONG = [
    {}, {"pick_list": "x"}, {"pick_list": "1.2.3.third.game"}, {"pick_list": "9" * 400},
]  # fmt: skip


def test_wrong_picks_are_rejected(director: Client, event: Event) -> None:
    event.draft(1)
    for values in WRONG:
        rejected = send(director, "swap", reason="typed before", **values)

        assert (values, rejected.status_code) == (values, 422)
        assert 'value="typed before"' in rejected.content.decode()


def test_a_change_needs_a_reason_next_to_its_picks(director: Client, event: Event):
    event.draft(1)
    picked = picks(director, 1, 4)
    rejected = send(director, "swap", pick_list=picked)

    assert rejected.status_code == 422
    assert rejected.context["picks"] == picked
    reason = rejected.context["fields"]["change"]["reason"]
    assert reason.errors == ("this is needed",)
    assert f'id="field-{reason.id}"' in rejected.content.decode()


def test_a_second_director_sees_what_the_first_has_changed(director: Client, event: Event):
    event.draft(1)
    stale = director.get(PAGE).context["if_match"]
    send(director, "publish")

    rejected = director.post(PAGE, {"action": "pair", "if_match": stale})

    assert rejected.status_code in (409, 412)
    rejected = director.post(PAGE, {"action": "unpair", "reason": "mine", "if_match": stale})
    assert rejected.status_code == 412
    assert ": Pairings published (Olga)" in rejected.content.decode()
    assert 'value="mine"' in rejected.content.decode()
    again = rejected.context["if_match"]
    done = director.post(PAGE, {"action": "unpair", "reason": "mine", "if_match": again})
    assert done.status_code == 303


def test_a_round_is_unpaired_and_restored_with_its_results(director: Client, event: Event):
    event.publish(1)
    event.finish(1)
    rejected = send(director, "unpair")
    assert (rejected.status_code, rejected.context["form"].code) == (422, "reason_needed")

    send(director, "reopen", reason="a mistake")
    send(director, "unpair", reason="a mistake")
    assert boards() == []
    send(director, "restore", version="1", reason="it was right")

    assert boards() == PAIRED
    assert [row["result"] for row in director.get(PAGE).context["boards"]] == ["11-10"] * 2
    assert send(director, "complete").status_code == 303


def test_a_draft_with_a_rematch_needs_its_acceptance(director: Client, event: Event):
    page = "/e/spring/run/rounds/2"
    event.play(1)
    event.draft(2)
    opponent = next(n for n in boards(2) if 1 in n[1:])
    (other,) = set(opponent[1:]) - {1}
    send(director, "swap", page, pick_list=picks(director, other, 3, page=page), reason="x")

    rejected = send(director, "publish", page)

    assert rejected.status_code == 409
    codes = director.get(page).context["violation_codes"]
    assert "rematch" in codes
    assert send(director, "publish", page, accept_list=codes).status_code == 303


def test_the_start_of_a_round_is_set(director: Client, event: Event):
    assert send(director, "schedule", starts_at="2026-05-02T14:30").status_code == 303
    text = director.get(PAGE).content.decode()
    assert 'value="2026-05-02T14:30"' in text
    wrong = send(director, "schedule", starts_on="2026-05-02", starts_at="2026-05-02T14:30")
    assert wrong.status_code == 422
    day = send(director, "schedule", starts_on="2026-05-02", starts_at="")
    assert day.status_code == 303
    assert 'value="2026-05-02"' in director.get(PAGE).content.decode()
    assert send(director, "schedule", starts_on="", starts_at="").status_code == 303
    assert 'value="2026-05-02"' not in director.get(PAGE).content.decode()


def test_a_bye_is_granted_by_number_and_cancelled(director: Client, event: Event):
    done = send(director, "grant-bye", player="3", kind="half_bye", reason="late train")
    assert done.headers["Location"] == f"{PAGE}?done=grant-bye&bye={Bye.objects.get().pk}"
    shown = director.get(done.headers["Location"]).content.decode()
    assert "<details open><summary>Byes requested for this round (1)" in shown
    assert 'value="cancel-bye">Cancel the bye<span' in shown
    (bye,) = director.get(PAGE).context["requested_byes"]
    assert (bye["entry__pairing_number"], bye["kind"], bye["reason"]) == (
        3,
        "half_bye",
        "late train",
    )

    for number in ("99", "x", "", "1\0"):
        rejected = send(director, "grant-bye", player=number, kind="half_bye")
        assert rejected.status_code == 422, number
        assert "pairing number" in rejected.content.decode()
    assert send(director, "cancel-bye", bye_id=str(bye["pk"])).status_code == 303
    assert send(director, "cancel-bye", bye_id="999").status_code == 404
    assert send(director, "cancel-bye", bye_id="x").status_code == 400
    assert director.get(PAGE).context["requested_byes"] == []

    event.publish(1)
    entry = f"/e/spring/run/entries/{event.tournament.entries.first().pk}"
    assert [number for number, *_ in director.get(entry).context["byes"]] == [2]


def test_an_older_version_is_shown_with_its_results(director: Client, event: Event):
    event.publish(1)
    event.finish(1)
    send(director, "unpair", reason="a mistake")

    shown = director.get(f"{PAGE}?version=1").context["shown_version"]
    assert [row["result"] for row in shown["rows"]] == ["11-10", "11-10", None]
    assert director.get(f"{PAGE}?version=7").status_code == 404
    assert director.get(f"{PAGE}?version=x").status_code == 200


def test_the_queries_do_not_grow_with_the_boards(
    director: Client, event: Event, django_assert_num_queries: Any
):
    larger = make_running(event.owner, 9, slug="larger")
    for drafted in (event, larger):
        drafted.draft(1)
        with django_assert_num_queries(32):
            director.get(f"/e/{drafted.tournament.slug}/run/rounds/1")


def test_a_complete_round_leads_on(director: Client, event: Event) -> None:
    event.play(1)
    page = director.get(PAGE).content.decode()
    assert '<a class="button main" href="/e/spring/run/rounds/2">' in page
    event.play(2)
    page = director.get("/e/spring/run/rounds/2").content.decode()
    assert '<a class="button main" href="/e/spring/run">' in page
    assert '<a class="button main" href="/e/spring/run' not in director.get(PAGE).content.decode()
    event.step("review")
    assert director.get("/e/spring/run/rounds/2").context["following"] == 0


def test_a_board_leads_to_its_neighbours(client: Client, event: Event) -> None:
    event.publish(1)
    found = [client.get(f"/e/spring/rounds/1/{page}").context for page in ("boards/1", "boards/2")]
    assert [(context["previous"], context["following"]) for context in found] == [
        (None, 2), (1, None),
    ]  # fmt: skip
    assert client.get("/e/spring/rounds/1/byes/5").context["pairing"]["kind"] == "pairing_bye"
    for page in ("boards/3", "byes/1"):
        assert client.get(f"/e/spring/rounds/1/{page}").status_code == 404


def test_who_is_absent_is_named_beside_the_boards(director: Client, organiser: Person) -> None:
    event = make_event(organiser, slug="summer", check_in="round", rounds=2)
    present = event.enter(*make_players(5))[:4]
    event.step("open", "start")
    for entry in present:
        organiser.post(f"{event.path}/entries/{entry.pk}/check-in")
    absent = "Not paired in this round: 5 Player 5"

    event.draft(1)
    assert absent in director.get("/e/summer/run/rounds/1").content.decode()
    event.publish(1)
    assert absent in Client().get("/e/summer/rounds/1").content.decode()
