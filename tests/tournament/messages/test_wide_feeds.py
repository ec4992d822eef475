"""The feeds of an account and of the site: what concerns whom, of many streams."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.core.journal.lines import append_line
from games.core.references import player_reference
from games.models import Game, HiddenName, JournalLine, JournalPayload, Role
from games.models.time_controls import TimeControl
from games.play.proposals import answer_proposal, propose_game
from games.play.services import rule_game
from games.rules.conditions import Conditions
from games.rules.seat import Seat
from ratings.models import Pool, Run, RunRating
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, make_player, player_of
from tests.tournament.webhooks.messages import check_message
from tests.tournament.webhooks.receiver import LOOPBACK, receiving
from tournament.messages.feed import WINDOW, FeedEntry, last_number, load_feed, settled_number
from tournament.messages.kinds import kinds_of as kinds_of_feed
from tournament.models import Webhook
from tournament.webhooks.deliveries import queue_entries
from tournament.webhooks.queries import entitled_webhooks, webhooks_behind
from tournament.webhooks.sending import send_due
from tournament.webhooks.services import create_webhook
from tournament.webhooks.stream import SiteStream

pytestmark = pytest.mark.django_db
HEX = Conditions(game="hex", board="11")
URL = "https://hooks.example.org/bot"


def feed_of(person: Person, after: int = 0) -> list[FeedEntry]:
    """Return the feed of an account, which must be JSON as it is described."""
    assert person.account is not None
    entries = load_feed(f"account/{person.account.pk}", after=after, limit=100)
    for entry in entries:
        check_message(entry.as_message())
    return entries


def kinds_of(person: Person, after: int = 0) -> list[str]:
    return [entry.kind for entry in feed_of(person, after)]


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event of Ada and three others, which is not public."""
    event = make_event(organiser, system="dutch")
    event.enter(player_of(ada), *make_players(3))
    event.tournament.public = False
    event.tournament.save()
    return event.step("open", "start")


def own_game(event: Event, person: Person) -> Game:
    """Return the person's game of the first round."""
    player = player_of(person)
    return next(game for game in event.games(1) if player in (game.first, game.second))


def test_a_player_is_told_of_their_event_and_their_own_games(
    event: Event, ada: Person, organiser: Person, stranger: Person
) -> None:
    by: Any = organiser.account
    after = last_number("site")
    games = event.publish(1)
    ada.post(f"games/{own_game(event, ada).pk}/reports", {"record": FIRST_WINS})
    settle()
    for game in games:
        rule_game(game, by=by, reason="seen", result="11-10")
    settle()

    found = feed_of(ada, after)
    own = own_game(event, ada)
    assert [(entry.kind, entry.data.get("game_id")) for entry in found] == [
        ("round.published", None), ("game.reported", own.pk), ("game.confirmed", own.pk)
    ]  # fmt: skip
    assert [board["game_ids"] for board in found[0].data["boards"]] == [[own.pk]]
    assert sorted(kinds_of(organiser, after)) == sorted(
        ["round.published", "game.reported", "game.confirmed", "game.confirmed"]
    )
    assert kinds_of(stranger, after) == []


def test_an_account_is_told_as_long_as_it_may_see_the_event(event: Event, ada: Person) -> None:
    scorer = make_player("Sam")
    after = last_number("site")
    event.publish(1)
    assert kinds_of(scorer, after) == []

    role = Role.objects.create(stream=event.stream, account=scorer.account, role="scorer")
    assert kinds_of(scorer, after) == ["round.published"]
    role.delete()
    assert kinds_of(scorer, after) == []
    entry = event.tournament.entries.filter(player=player_of(ada))
    for refused in ({"state": "refused"}, {"agreement": "declined"}):
        entry.update(**refused)
        assert kinds_of(ada) == []
        entry.update(state="accepted", agreement="agreed")
        assert "tournament.started" in kinds_of(ada)
    HiddenName.objects.create(about=event.stream)
    assert (kinds_of(ada, after), kinds_of(event.owner, after)) == ([], ["round.published"])


def test_casual_games_are_told_to_their_players(ada: Person, ben: Person, stranger: Person) -> None:
    def propose() -> Game:
        by: Any = ada.account
        return propose_game(
            opponent=player_of(ben).pk, seat=Seat.FIRST, conditions=HEX,
            time_control=TimeControl(), rated=False, pool="", by=by,
        )  # fmt: skip

    after = last_number("site")
    for answer in ("decline", "accept"):
        game = propose()
        answer_proposal(game, answer, by=ben.account)  # type: ignore[arg-type]

    kinds = ["game.proposed", "game.declined", "game.proposed", "game.accepted"]
    assert (kinds_of(ada, after), kinds_of(ben, after)) == (kinds, kinds)
    assert kinds_of(stranger, after) == []
    last = feed_of(ada, after)[-1]
    assert last.data["tournament"] is None
    assert last.data["first"] == {"player": player_reference(player_of(ada))}


def test_a_rating_is_told_to_its_player(ada: Person, ben: Person) -> None:
    after = last_number("site")
    pool, player = Pool.objects.get(), player_of(ada)
    for number, rating in ((1, 1_500_400), (2, None), (3, 1_512_600)):
        run = Run.objects.create(pool=pool, number=number, engine_version=1)
        if rating:
            RunRating.objects.create(pool=pool, run=run, player=player, rating=rating)
        payload = {"run": number, "batches": 1, "players": 1, "input_digest": "ab"}
        append_line(pool.stream, "rating.run", payload, by=None)

    entries = feed_of(ada, after)
    found = [entry.data for entry in entries]
    assert [(data["run_number"], data["before"], data["after"]) for data in found] == [
        (1, None, 1500.4), (3, 1500.4, 1512.6)
    ]  # fmt: skip
    message = entries[-1].own_message()
    assert message is not None
    assert message.title.endswith("is 1513, before 1500")
    assert kinds_of(ben, after) == []


def test_the_site_tells_public_events_and_lists(organiser: Person) -> None:
    after = last_number("site")
    for slug, is_public in (("seen", True), ("private", False), ("hidden", True)):
        event = make_event(organiser, slug=slug, public=is_public)
        event.enter(*make_players(2))
        event.step("open", "start")
    HiddenName.objects.create(about="tournament/hidden")
    published = {"published_on": "2026-12-01", "run": 3, "input_digest": "ab", "players": 4}
    append_line("pool/star", "list.published", published, by=None)

    found = load_feed("site", after=after, limit=9)
    for entry in found:
        check_message(entry.as_message())
    assert [(entry.kind, entry.stream) for entry in found] == [
        ("tournament.opened", "tournament/seen"),
        ("tournament.started", "tournament/seen"),
        ("list.published", "pool/star"),
    ]
    assert all(f"`{kind}`" in str(SiteStream.get.__doc__) for kind in kinds_of_feed("site"))


def hook(person: Person, feed: str, **options: Any) -> Webhook:
    by: Any = person.account
    stream = f"account/{by.pk}" if feed == "account" else feed
    return create_webhook(stream, options.pop("url", URL), [], by=by, **options)


def test_a_line_that_is_committed_after_later_ones_is_sent_too(event: Event, ada: Person) -> None:
    webhook = hook(ada, "account")
    event.publish(1)
    event.step("cancel")
    late = JournalPayload.objects.get(line__kind="round.published")
    JournalPayload.objects.filter(pk=late.pk).delete()  # its transaction is still open
    queued = [queue_entries(webhook.pk)]
    late.save(force_insert=True)
    queued += [queue_entries(webhook.pk), queue_entries(webhook.pk)]

    assert queued == [1, 1, 0]
    kinds = webhook.deliveries.order_by("sequence").values_list("kind", flat=True)
    assert list(kinds) == ["round.published", "tournament.cancelled"]
    assert webhook in webhooks_behind()
    JournalLine.objects.update(at=timezone.now() - WINDOW - timedelta(seconds=1))
    assert (queue_entries(webhook.pk), webhook in webhooks_behind()) == (0, False)


def test_who_connects_again_gets_the_last_half_minute_again(event: Event, ada: Person) -> None:
    event.publish(1)
    published = JournalLine.objects.get(kind="round.published")
    JournalLine.objects.filter(pk__lt=published.pk).update(at=published.at - WINDOW * 2)
    event.step("cancel")

    last = last_number("site")
    assert settled_number(last) < published.pk
    assert ada.get("me/stream?after=0").content.count(b"\nid: ") > 3
    answer = ada.get(f"me/stream?after={last - 1}").content.decode()
    assert [line for line in answer.split("\n") if line.startswith("id: ")] == [
        f"id: {published.pk - 1}", f"id: {published.pk}", f"id: {last}"
    ]  # fmt: skip


def test_a_player_gets_the_words_for_them_in_their_channel(
    event: Event, ada: Person, settings: Any
) -> None:
    settings.WEBHOOK_NETWORKS = LOOPBACK
    with receiving() as receiver:
        webhook = hook(ada, "account", url=receiver.url, format="slack")
        event.publish(1)
        send_due()
        own = own_game(event, ada)
        other = own.second if own.first == player_of(ada) else own.first
        board = feed_of(ada)[-1].data["boards"][0]["board"]
        (content,) = receiver.contents(webhook.secret)
        (number,) = receiver.ids

    line = JournalLine.objects.get(kind="round.published")
    assert number == f"{webhook.stream}/{line.pk}"
    seat = "first player (dark" if own.first == player_of(ada) else "second player (orange"
    assert content["text"].split("\n") == [
        f"Spring Open, round 1: you play against {other.name} on board {board}",
        f"You are the {seat} stones).",
        f"{settings.PUBLIC_URL}/e/spring/rounds/1/boards/{board}",
    ]


def test_only_its_owner_and_staff_have_wide_webhooks(
    organiser: Person, ada: Person, staff: Person, anonymous: Person
) -> None:
    def post(person: Person, feed: str) -> int:
        return person.post("webhooks", {"feed": feed, "receiver_url": URL}).status_code

    people = (anonymous, ada, organiser, staff)
    assert [post(person, "account") for person in people] == [401, 201, 201, 201]
    assert [post(person, "site") for person in people] == [401, 403, 403, 201]
    listed = [
        (row["feed"], row["owner"]["name"], row["tournament"], row["pool"], row["entitled"])
        for row in ada.get("webhooks").json()["results"]
    ]
    assert listed == [("account", "Ada", None, None, True)]
    both = {"feed": "account", "tournament_slug": "spring", "receiver_url": URL}
    assert [ada.post("webhooks", body).status_code for body in (both, {"receiver_url": URL})] == [
        422,
        422,
    ]
    bound = ada.with_token("webhook:write", stream="tournament/spring")
    assert post(bound, "account") == 403
    created = JournalLine.objects.filter(kind="webhook.created")
    assert set(created.values_list("stream", flat=True)) == {"site"}

    ada.account.is_active = False  # type: ignore[union-attr]
    ada.account.save()  # type: ignore[union-attr]
    owners = entitled_webhooks().order_by("pk").values_list("owner__name", flat=True)
    assert list(owners) == [organiser.account.name, staff.account.name, staff.account.name]  # type: ignore[union-attr]
