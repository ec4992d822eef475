"""One event is visible to those who find it in the list of what is visible."""

from itertools import product

import pytest

from games.models import Account, Player, Role
from tests.events import make_running
from tests.people import make_person, make_player, player_of
from tournament.core.queries import find_visible_tournament, visible_tournaments
from tournament.models import Tournament

STREAMS = ("", "tournament/spring", "tournament/autumn")


def make_viewers() -> tuple[Account | None, ...]:
    """Return Ada, who was merged into Cleo, an owner, an officer of the pool, staff and others."""
    organiser, ada, stranger = make_person("Olga"), make_player("Ada", 1700), make_person("Stig")
    make_running(organiser, 3, public=False).enter(player_of(ada))
    names = ("Cleo", "Otto", "Sue")
    cleo, otto, sue = (make_person(name, is_staff=name == "Sue").account for name in names)
    assert cleo is not None
    assert otto is not None
    player = Player.objects.create(name="Cleo", account=cleo)
    Player.objects.filter(pk=player_of(ada).pk).update(merged_into=player)
    Role.objects.create(account=otto, stream="pool/star", role=Role.Name.RATING_OFFICER)
    stored = (person.account for person in (organiser, ada, stranger))
    return (*stored, cleo, otto, sue, None)


@pytest.mark.django_db
def test_one_event_is_visible_as_in_the_list() -> None:
    viewers = make_viewers()
    counts = []
    for state, is_public in product(("draft", "running"), (True, False)):
        Tournament.objects.update(state=state, public=is_public)
        for viewer, stream in product(viewers, STREAMS):
            seen = visible_tournaments(viewer, stream).filter(slug="spring").first()
            assert find_visible_tournament("spring", viewer, stream) == seen
            counts.append(seen is not None)
    assert set(counts) == {True, False}
