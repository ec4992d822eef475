"""`/webhooks`: directors create them for their events, officers for their pools."""

from ipaddress import ip_network
from typing import Any

import pytest

from games.core.accounts.services import remove_second_factor
from games.core.references import absolute_url
from games.models import Account, JournalLine, Role
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, player_of, problem_in
from tournament.core.references import tournament_reference
from tournament.models import Webhook, WebhookDelivery
from tournament.webhooks.queries import entitled_webhooks
from tournament.webhooks.services import MOST_PINGS, create_webhook

pytestmark = pytest.mark.django_db
URL = "https://hooks.example.org/bot"
State = WebhookDelivery.State


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event of Ada and another player."""
    event = make_event(organiser)
    event.enter(player_of(ada), *make_players(1))
    return event.step("open", "start")


def make_webhook(event: Event, by: Account | None = None, url: str = URL) -> Webhook:
    owner: Any = by or event.owner.account
    return create_webhook(event.stream, url, [], by=owner)


@pytest.fixture(autouse=True)
def webhook(event: Event) -> Webhook:
    """A webhook of the event's owner."""
    return make_webhook(event)


@pytest.fixture
def delivery(webhook: Webhook) -> WebhookDelivery:
    return WebhookDelivery.objects.create(
        webhook=webhook, sequence=3, kind="round.published", state=State.DELIVERED, attempts=2
    )


def body_for(event: Event, **members: Any) -> dict[str, Any]:
    return {"tournament_slug": event.tournament.slug, "receiver_url": URL} | members


def test_the_secret_is_shown_once(organiser: Person, event: Event) -> None:
    body = body_for(event, kinds=["game.confirmed", "round.published", "game.confirmed"])
    response = organiser.post("webhooks", body)
    created = response.json()
    secret = created.pop("secret")
    webhook = Webhook.objects.get(pk=created["id"])

    assert response["ETag"] == organiser.get(f"webhooks/{webhook.pk}")["ETag"]
    assert response["Location"] == f"http://localhost:8000/api/v1/webhooks/{webhook.pk}"
    assert created == {
        "id": webhook.pk,
        "owner": {"id": organiser.account and organiser.account.pk, "name": "Olga"},
        "feed": "tournament",
        "tournament": tournament_reference(event.tournament),
        "pool": None,
        "receiver_url": URL,
        "format": "object",
        "kinds": ["round.published", "game.confirmed"],
        "active": True,
        "stopped": None,
        "entitled": True,
        "failures": 0,
        "failing_since": None,
        "created_at": created["created_at"],
        "url": absolute_url(f"webhooks/{webhook.pk}"),
    }
    assert (secret[:6], webhook.secret) == ("whsec_", secret)
    last = JournalLine.objects.filter(stream=event.stream).latest("sequence")
    assert webhook.queued == last.sequence
    assert (last.kind, last.payload.body["webhook"]) == ("webhook.created", webhook.pk)
    assert organiser.get(f"webhooks/{webhook.pk}").json() == created
    for path in ("webhooks", f"webhooks/{webhook.pk}", f"{event.path}/journal"):
        assert secret not in organiser.get(path).content.decode()


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"receiver_url": "https://127.0.0.1/"}, "address_refused"),
    ({"kinds": ["round.paired"]}, "unknown_kinds"),
    ({"kinds": ["pool.rated"]}, "unknown_kinds"),
    ({"kinds": ["entry.accepted"], "format": "slack"}, "unknown_kinds"),
    ({"format": "teams"}, "invalid"),
    ({"tournament_slug": "nowhere"}, "unknown_tournament"),
    ({"tournament_slug": None}, "invalid"),
    ({"pool": "star"}, "invalid"),
    ({"tournament_slug": None, "pool": "nowhere"}, "unknown_pool"),
]


def test_wrong_requests_store_nothing(organiser: Person, event: Event) -> None:
    before = Webhook.objects.count()
    for members, code in WRONG:
        problem_in(organiser.post("webhooks", body_for(event, **members)), 422, code)

    assert Webhook.objects.count() == before


def test_the_quota_of_an_account(organiser: Person, event: Event, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"webhooks": 2}
    assert organiser.post("webhooks", body_for(event)).status_code == 201

    problem = problem_in(organiser.post("webhooks", body_for(event)), 409, "quota_reached")
    assert problem["quota"] == "webhooks"


def test_an_officer_has_webhooks_of_the_pool(officer: Person, organiser: Person) -> None:
    body = {"pool": "star", "receiver_url": URL, "kinds": ["pool.rated"]}

    assert officer.post("webhooks", body).status_code == 201
    problem_in(organiser.post("webhooks", body), 403, "role_missing")


def test_a_director_sees_the_webhooks_of_the_event(event: Event, webhook: Webhook) -> None:
    director = make_person("Dora")
    role = Role.objects.create(stream=event.stream, account=director.account, role="director")
    other = make_webhook(event, director.account)
    role.delete()
    rows = director.get("webhooks").json()["results"]
    assert [(row["id"], row["entitled"]) for row in rows] == [(other.pk, False)]

    Role.objects.create(stream=event.stream, account=director.account, role="director")
    rows = director.get("webhooks?tournament_slug=spring").json()["results"]
    assert [(row["id"], row["entitled"]) for row in rows] == [(webhook.pk, True), (other.pk, True)]


def test_staff_without_a_second_factor_gets_nothing_by_webhooks(
    organiser: Person, event: Event
) -> None:
    staff = make_person("Site", is_staff=True)
    webhook = make_webhook(event, staff.account)
    assert webhook in entitled_webhooks()

    remove_second_factor(staff.account, by=organiser.account)

    assert webhook not in entitled_webhooks()


def test_a_token_for_one_event_sees_only_its_webhooks(
    organiser: Person, event: Event, webhook: Webhook
) -> None:
    other = make_webhook(make_event(organiser, slug="other").step("open"))
    bound = organiser.with_token("webhook:write", stream=event.stream)
    reader = organiser.with_token("tournament:write")

    assert [row["id"] for row in bound.get("webhooks").json()["results"]] == [webhook.pk]
    problem_in(bound.get(f"webhooks/{other.pk}"), 404)
    assert bound.post("webhooks", body_for(event)).status_code == 201
    problem_in(bound.post("webhooks", {"tournament_slug": "other", "receiver_url": URL}), 403)
    problem_in(reader.get("webhooks"), 403, "scope_missing")


def test_changes_of_a_webhook(organiser: Person, webhook: Webhook) -> None:
    path = f"webhooks/{webhook.pk}"
    changes = {
        "receiver_url": "https://other.example.org/",
        "kinds": ["game.confirmed"],
        "active": False,
    }
    changed = organiser.patch(path, changes).json()

    assert {name: changed[name] for name in changes} == changes
    assert changed["stopped"] == "owner"
    assert organiser.patch(path, {"active": True}).json()["stopped"] is None
    problem_in(organiser.patch(path, {"receiver_url": "https://10.0.0.1/"}), 422, "address_refused")
    problem_in(organiser.patch(path, {"kinds": ["entry.edited"]}), 422, "unknown_kinds")
    problem_in(organiser.patch(path, {"pool": "star"}), 422)
    kinds = JournalLine.objects.filter(kind__startswith="webhook.").order_by("sequence")
    assert (
        list(kinds.values_list("kind", flat=True)) == ["webhook.created"] + ["webhook.edited"] * 2
    )


def test_http_is_only_for_the_networks_that_allow_it(
    organiser: Person, event: Event, webhook: Webhook, settings: Any
) -> None:
    body, path = body_for(event, receiver_url="http://localhost/hook"), f"webhooks/{webhook.pk}"
    cases = ([], (422, 422)), (["10.0.0.0/8"], (422, 422)), (["127.0.0.0/8", "::1/128"], (201, 200))
    for networks, statuses in cases:
        settings.WEBHOOK_NETWORKS = [ip_network(network) for network in networks]
        created = organiser.post("webhooks", body)
        changed = organiser.patch(path, {"receiver_url": body["receiver_url"]})
        assert (created.status_code, changed.status_code) == statuses


def test_a_deleted_webhook(organiser: Person, webhook: Webhook, delivery: WebhookDelivery) -> None:
    assert organiser.delete(f"webhooks/{webhook.pk}").status_code == 204

    problem_in(organiser.get(f"webhooks/{webhook.pk}"), 404)
    assert not WebhookDelivery.objects.exists()


def test_a_repeated_rotation_keeps_the_secret_of_the_receiver(
    organiser: Person, webhook: Webhook
) -> None:
    key = {"Idempotency-Key": "rotate-1"}
    path = f"webhooks/{webhook.pk}/rotate-secret"
    first, again = (organiser.post(path, **key).json() for _ in range(2))

    stored = Webhook.objects.get(pk=webhook.pk)
    assert first == again
    assert (stored.secret, stored.previous_secret) == (first["secret"], webhook.secret)


def test_a_second_rotation_ends_the_first_secret(organiser: Person, webhook: Webhook) -> None:
    path = f"webhooks/{webhook.pk}/rotate-secret"
    first, second = (organiser.post(path).json()["secret"] for _ in range(2))

    stored = Webhook.objects.get(pk=webhook.pk)
    assert (stored.secret, stored.previous_secret) == (second, first)


def test_pings_are_limited(organiser: Person, webhook: Webhook) -> None:
    path = f"webhooks/{webhook.pk}/ping"
    answers = [organiser.post(path) for _ in range(MOST_PINGS + 1)]

    assert [answer.status_code for answer in answers] == [201] * MOST_PINGS + [409]
    assert answers[0].json()["kind"] == "webhook.ping"
    problem_in(answers[-1], 409, "pings_waiting")
    listed = organiser.get(f"webhooks/{webhook.pk}/deliveries?kind=webhook.ping").json()
    assert len(listed["results"]) == MOST_PINGS


def test_a_replay_is_pending(organiser: Person, webhook: Webhook, delivery: Any) -> None:
    path = f"webhooks/{webhook.pk}/deliveries/{delivery.pk}/replay"
    replayed = organiser.post(path).json()

    assert (replayed["id"], replayed["state"], replayed["attempts"]) == (delivery.pk, "pending", 0)
    problem_in(organiser.post(path), 409, "delivery_pending")
    problem_in(organiser.post(path.replace("deliveries/", "deliveries/9")), 404, "not_found")
    WebhookDelivery.objects.update(state=State.GIVEN_UP)
    Webhook.objects.update(stopped="gone")
    problem_in(organiser.post(path), 409, "webhook_stopped")
