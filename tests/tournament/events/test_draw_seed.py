"""The draw seed: its digest is published with the registration, the seed with round 1."""

from hashlib import sha256

import pytest

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person

pytestmark = pytest.mark.django_db


def published(who: Person, event: Event) -> tuple[str | None, str | None]:
    page = who.get(event.path).json()
    return page["draw_seed_digest"], page["draw_seed"]


def test_the_digest_is_published_first(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser, system="dutch")
    assert published(organiser, event) == (None, None)
    event.enter(*make_players(4))

    event.step("open")
    digest, seed = published(anonymous, event)
    assert (digest is None, seed) == (False, None)
    event.step("start").draft(1)
    assert published(organiser, event) == (digest, None)
    organiser.post(f"{event.path}/rounds/1/publish")

    assert published(anonymous, event)[0] == digest
    seed = published(anonymous, event)[1]
    assert seed is not None
    assert sha256(seed.encode()).hexdigest() == digest
    payloads = {
        line.kind: line.payload.body
        for line in JournalLine.objects.select_related("payload").filter(stream=event.stream)
    }
    assert payloads["tournament.registration"]["draw_seed_digest"] == digest
    assert payloads["round.published"]["draw_seed"] == seed
    certificate = anonymous.get(f"{event.path}/rounds/1/certificate").json()
    assert certificate["seed"] == int(seed, 16) + 1
