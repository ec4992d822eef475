"""The standings are called final when the event is, and not before."""

from tests.events import make_running
from tests.people import Person
from tests.tournament.conftest import OpenPage

HEADING = "Final standings"


def test_standings_are_final_when_the_event_is(
    open_page: OpenPage,
    organiser: Person,
    anonymous: Person,
) -> None:
    event = make_running(organiser, 2, rounds=1)
    event.publish(1)
    event.finish(1)

    states = []
    for steps in ([], ["review"], ["finalise"]):
        for step in steps:
            organiser.post(f"{event.path}/{step}")
        pages = [open_page(f"/e/spring{page}").content.decode() for page in ("", "/standings")]
        provisional = anonymous.get(f"{event.path}/standings").json()["provisional"]
        states.append(({HEADING in page for page in pages}, provisional))

    assert states == [
        ({False}, True),
        ({False}, True),
        ({True}, False),
    ]
