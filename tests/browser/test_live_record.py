"""A game is kept on a phone, turn by turn, while the network comes and goes; another looks on."""

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from games.models import Game, LiveRecord
from games.play.outcomes import conditions_of
from games.rules.record_entry import TURN_WORDS
from games.rules.registry import GAMES, find_game
from tests.browser.conftest import PHONE, Check
from tests.browser.test_boards import cell
from tests.events import make_published, settle
from tests.people import make_person, make_player, player_of

NO_NETWORK = "() => { window.fetch = () => Promise.reject(new Error('no network')); }"
STORE_REFUSED = "([name, what]) => sessionStorage.setItem(name, JSON.stringify(what))"
LOST_ANSWER = """() => {
    const sent = window.fetch;
    window.fetch = async (...request) => {
        window.fetch = sent;
        await sent(...request);
        throw new Error('no answer');
    };
}"""


def place(page: Page, name: str) -> None:
    """Tap a cell, and confirm it."""
    cell(page, name).tap()
    expect(page.locator(".cell-name")).to_have_text(name)
    page.get_by_role("button", name="Place").tap()


@pytest.mark.django_db(transaction=True)
def test_a_record_survives_cuts_and_reloads(open_page: Callable[..., Page], check: Check) -> None:
    ada, ben = make_player("Ada"), make_player("Ben")
    (game,) = make_published(make_person("Olga"), ada, ben, rounds=1).games()
    address = f"/games/{game.pk}/live"
    page = open_page(f"/games/{game.pk}", account=ada.account, viewport=PHONE, has_touch=True)
    page.get_by_role("link", name="Keep the record turn by turn").click()
    page.get_by_role("button", name="Keep the record").click()

    place(page, "S40")
    expect(page.locator(".state-of-game")).to_have_text("Turn 2: second to move.")
    check(page, "live-record")

    # Without a network the turns stay in the browser, and are sent in their order.
    page.evaluate(NO_NETWORK)
    place(page, "T40")
    place(page, "A40")
    expect(page.locator(".wrong-turn")).to_contain_text("No connection.")
    expect(page.locator(".wrong-turn")).to_contain_text("T40 A40")
    page.goto(address)
    expect(page.locator(".state-of-game")).to_have_text("Turn 4: second to move.")

    # An answer that is lost: the turn stands, and is sent once more.
    page.evaluate(LOST_ANSWER)
    place(page, "S41")
    expect(page.locator(".state-of-game")).to_have_text("Turn 5: first to move.")
    assert [turn for turn, _ in LiveRecord.objects.get().turns] == ["S40", "T40", "A40", "S41"]

    overview = open_page("/e/spring")
    board = overview.locator(".live-board")
    expect(board).to_contain_text("Turn 4")
    other = open_page(f"/games/{game.pk}")
    expect(other.locator(".slider label").first).to_have_text("Turn 4 of 4")
    page.get_by_role("button", name="Take back").tap()
    expect(page.locator(".state-of-game")).to_have_text("Turn 4: second to move.")
    expect(other.locator(".slider label").first).to_have_text("Turn 3 of 3")
    expect(board).to_contain_text("Turn 3")
    check(overview, "live-boards")

    # Another device continues; the page of the first shows it at once.
    second = open_page(address, account=ben.account)
    second.get_by_role("button", name="Continue here").click()
    expect(page.get_by_role("button", name="Continue here")).to_be_visible()
    check(page, "kept-elsewhere")
    # A resignation, typed or tapped, is asked about.
    words, question = second.get_by_label("Type cells or words"), second.locator("#resign")
    words.fill("S41 resign")
    words.press("Enter")
    expect(question).to_contain_text("Does Ben resign? The game ends at once, and Ada wins.")
    second.locator("#resign summary").click()
    second.locator('[data-word="resign"]').click()
    expect(question.get_by_role("button", name="Yes, resign")).to_be_focused()
    check(second, "resignation")
    assert len(LiveRecord.objects.get().turns) == 4
    words.fill("agreed 11-10")
    words.press("Enter")
    second.wait_for_url(f"**/games/{game.pk}")
    settle()
    game.refresh_from_db()
    assert (game.state, game.reports.get().seat) == ("waiting", "second")


def some_turns(game: Game, count: int) -> list[str]:
    """Return legal turns of a game, by chance but always the same."""
    source, position = Random(game.game), find_game(game.game).start(conditions_of(game))
    turns: list[str] = []
    for _ in range(count):
        legal = [str(move) for move in position.legal_moves()]
        turns.append(source.choice([turn for turn in legal if turn not in TURN_WORDS]))
        position = position.play(turns[-1])
    return turns


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_each_game_is_kept_by_clicks(open_page: Callable[..., Page]) -> None:
    ada, ben, olga = make_player("Ada"), make_player("Ben"), make_person("Olga")
    event = make_published(olga, ada, ben, rounds=1)
    (game,) = event.games()
    page = open_page("/", account=ada.account)
    for code, rules in GAMES.items():
        Game.objects.filter(pk=game.pk).update(game=code, board=rules.first_board, swap=False)
        game.refresh_from_db()
        turns = some_turns(game, 6)
        page.goto(f"/games/{game.pk}/live")
        page.get_by_role("button", name="Keep the record").click()
        for ply, turn in enumerate(turns, 2):
            for name in re.findall(r"[*\w]+", turn):
                exact = f'[aria-label="{name}"], [aria-label^="{name},"]'
                page.locator(f'[role="gridcell"]:is({exact})').dispatch_event("click")
            expect(page.locator(".state-of-game")).to_contain_text(f"Turn {ply}")
        live = LiveRecord.objects.get()
        assert live.moves == turns, code
        live.delete()


@pytest.mark.django_db(transaction=True)
def test_a_record_is_kept_without_scripts(open_page: Callable[..., Page]) -> None:
    ada, ben = make_player("Ada"), make_player("Ben")
    (game,) = make_published(make_person("Olga"), ada, ben, rounds=1).games()
    page = open_page(f"/games/{game.pk}/live", account=ada.account, java_script_enabled=False)
    page.get_by_role("button", name="Keep the record").click()
    words = page.get_by_label("Type cells or words")
    words.fill("S40 T40")
    words.press("Enter")
    expect(page.locator(".state-of-game")).to_have_text("Turn 3: first to move.")
    words.fill("S40")
    words.press("Enter")
    expect(page.locator(".wrong-turn")).to_contain_text("S40 was filled at ply 1")
    page.get_by_text("Other ways").click()
    page.get_by_role("button", name="Take back the last turn").click()
    expect(page.locator(".state-of-game")).to_have_text("Turn 2: second to move.")


def confirm_turn(page: Page, name: str, then: str) -> None:
    """Place a stone in one's turn; the page shows that the other side is to move, or the end."""
    expect(page.locator(".note")).to_contain_text("It is your turn")
    place(page, name)
    expect(page.locator("body")).to_contain_text(then)


@pytest.mark.django_db(transaction=True)
def test_two_players_play_a_game_by_turns(open_page: Callable[..., Page], check: Check) -> None:
    ada, ben = make_player("Ada"), make_player("Ben")
    sent = {"opponent_id": player_of(ben).pk, "seat": "first", "play": "by_turns"}
    hex_game, star, double = (
        ada.post("games", sent | {"ruleset": code, "board_size": size, "days_per_turn": 3}).json()
        for code, size in (("hex", "3"), ("star-star", "4"), ("double-star-star", "4"))
    )
    for game in (hex_game, star, double):
        ben.post(f"games/{game['id']}/accept")
    phone = {"viewport": PHONE, "has_touch": True}
    first = open_page("/my", account=ada.account, **phone)
    expect(first.get_by_role("heading", name="Your turn")).to_be_visible()
    check(first, "my-turn")
    first.goto(f"/games/{hex_game['id']}/live")
    second = open_page(f"/games/{hex_game['id']}/live", account=ben.account, **phone)
    expect(second.locator(".note")).to_contain_text("Ada is to move")
    check(second, "waiting-for-a-turn")

    # With the pie rule, the second player takes the centre over; the pages follow each other.
    confirm_turn(first, "b2", "Ben is to move")
    expect(second.locator(".note")).to_contain_text("It is your turn")
    check(second, "own-turn")
    second.once("dialog", lambda dialog: dialog.accept())  # it cannot be taken back
    second.get_by_role("button", name="Swap").tap()
    expect(second.locator(".note")).to_contain_text("Ada is to move")
    # A turn that is entered after the end of the session waits for the next login.
    expect(first.locator(".note")).to_contain_text("It is your turn")
    context, cookies = first.context, first.context.cookies()
    context.clear_cookies(name="sessionid")
    place(first, "a1")
    expect(first.locator(".note")).to_contain_text(
        "a1 is kept on this device and not sent: you are"
    )
    first.get_by_role("link", name="Log in to play").click()
    expect(first).to_have_url(re.compile(rf"/login\?next=/games/{hex_game['id']}/live"))
    context.add_cookies(cookies)
    first.goto(f"/games/{hex_game['id']}/live")
    expect(first.locator(".note")).to_contain_text("Ben is to move")
    for page, name in ((second, "b1"), (first, "a2")):
        confirm_turn(page, name, "is to move")
    confirm_turn(second, "b3", "Ben")
    second.wait_for_url(f"**/games/{hex_game['id']}")
    settle()
    second.reload()
    expect(second.locator(".facts").first).to_contain_text("played here")
    first.wait_for_url(f"**/games/{hex_game['id']}")

    # A turn that waits for the network, and is overtaken by another device, is refused aloud.
    address = f"/games/{double['id']}/live"
    first.goto(address)
    first.evaluate(NO_NETWORK)
    place(first, "S41")
    expect(first.locator(".wrong-turn")).to_contain_text("this page is open: S41")
    my = first.context.new_page()
    my.goto("/my")
    expect(my.get_by_text("On this device S41 waits to be sent")).to_be_visible()
    check(my, "unsent-turn")
    # The turn belongs to the login that entered it: another one neither sees nor sends it.
    own = first.context.cookies()
    first.context.add_cookies(second.context.cookies())
    my.goto("/my")
    expect(my.get_by_role("heading", name="Your opponent's turn")).to_be_visible()
    expect(my.get_by_text("waits to be sent")).to_be_hidden()
    my.goto(address)
    expect(my.locator(".note")).to_contain_text("Ada is to move")
    expect(my.locator(".wrong-turn")).to_be_empty()
    first.context.add_cookies(own)
    ada.post(f"games/{double['id']}/live/turns", {"number": 1, "turns": ["S40"]})
    for _ in range(2):
        first.goto(address)
        expect(first.locator(".note")).to_contain_text("Ben is to move")
        expect(first.locator(".wrong-turn")).to_contain_text("S41 is not entered: turn 1 is S40")
    check(first, "refused-turn")
    ben.post(f"games/{double['id']}/live/turns", {"number": 2, "turns": ["R40,R41"]})
    first.goto(address)
    expect(first.locator(".note")).to_contain_text("It is your turn")
    expect(first.locator(".wrong-turn")).to_be_empty()

    # A refused turn that stands after all is not called refused.
    refused = {"text": "S42 is not entered: for a while", "turn": "s42,s43", "number": 3}
    first.evaluate(STORE_REFUSED, [f"refused {ada.account.pk} /games/{double['id']}", refused])
    first.reload()
    expect(first.locator(".wrong-turn")).to_contain_text("for a while")
    first.evaluate(STORE_REFUSED, [f"refused {ada.account.pk} /games/{double['id']}", refused])
    ada.post(f"games/{double['id']}/live/turns", {"number": 3, "turns": ["S42,S43"]})
    first.goto(address)
    expect(first.locator(".note")).to_contain_text("Ben is to move")
    expect(first.locator(".wrong-turn")).to_be_empty()

    # An offer that arrives leaves the first of two stones where it is.
    second.goto(address)
    place(second, "T40")
    expect(cell(second, "T40")).to_have_class(re.compile(r"\bbegun\b"))
    ada.post(f"games/{double['id']}/live/offer", {"result": "11-10"})
    expect(second.locator(".panel")).to_contain_text("Ada offers to end the game with 11-10")
    expect(cell(second, "T40")).to_have_class(re.compile(r"\bbegun\b"))
    second.get_by_role("button", name="Decline the offer").tap()
    expect(second.locator(".panel")).to_have_count(0)
    expect(cell(second, "T40")).to_have_class(re.compile(r"\bbegun\b"))
    silent = {"content_type": "text/event-stream", "body": ""}
    second.route("**/stream?own=1", lambda route: route.fulfill(**silent))
    second.reload()
    expect(cell(second, "T40")).to_have_class(re.compile(r"\bbegun\b"))
    ada.post(f"games/{double['id']}/live/offer", {"result": "12-9"})
    place(second, "T40")
    expect(second.locator(".panel")).to_contain_text("Ada offers to end the game with 12-9")
    place(second, "T40")
    confirm_turn(second, "T41", "Ada is to move")
    assert LiveRecord.objects.get(game=double["id"]).moves[-1] == "T40,T41"

    # A page that is open when the pairings are withdrawn says so, and stays.
    first.goto(f"/games/{double['id']}/live")
    Game.objects.filter(pk=double["id"]).update(void=True)
    place(first, "S41")
    expect(first.locator(".wrong-turn")).to_contain_text("S41 is not entered: the pairing of this")

    # A player's own page of an event and the table of its director say whose turn it is.
    event = make_published(make_person("Olga"), ada, ben, rounds=1, play="by_turns")
    (game,) = event.games()
    players = (ada, ben) if game.first == player_of(ada) else (ben, ada)
    own = open_page("/e/spring/me", account=players[1].account)
    table = open_page("/e/spring/run/rounds/1/results", account=event.owner.account)
    for page, text in ((own, "is to move"), (table, f"{players[0].name} is to move")):
        expect(page.locator("main")).to_contain_text(text)
    players[0].post(f"games/{game.pk}/live/turns", {"number": 1, "turns": ["S40"]})
    for page, text in ((own, "It is your turn"), (table, f"{players[1].name} is to move")):
        expect(page.locator("main")).to_contain_text(text)

    # An offer is agreed on without scripts.
    address = f"/games/{star['id']}/live"
    plain = open_page(address, account=ada.account, java_script_enabled=False)
    words = plain.get_by_label("Type cells or words")
    words.fill("S40")
    words.press("Enter")
    expect(plain.locator(".note")).to_contain_text("Ben is to move")
    plain.get_by_text("Offer a result").first.click()
    plain.get_by_label("Result").select_option("11-10")
    plain.get_by_role("button", name="Offer it").click()
    second.unroute("**/stream?own=1")
    second.goto(address)
    expect(second.locator(".panel")).to_be_visible()
    plain.get_by_role("button", name="Withdraw the offer").click()
    expect(second.locator(".panel")).to_have_count(0)
    plain.get_by_text("Offer a result").first.click()
    plain.get_by_label("Result").select_option("11-10")
    plain.get_by_role("button", name="Offer it").click()
    offered = "Ada offers to end the game with 11-10: Ada wins."
    expect(second.locator(".panel")).to_contain_text(offered)
    check(second, "offered-result")
    second.get_by_role("button", name="Agree on 11-10").tap()
    second.wait_for_url(f"**/games/{star['id']}")
    settle()
    assert Game.objects.get(pk=star["id"]).basis == "played"
