"""Events of two groups of four, then a knockout, of which two players of each qualify."""

from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person
from tournament.rounds.services import complete_round

BEATS = {1: {4, 5, 8}, 4: {5}, 5: {8}, 8: {4}}
"""Group A: 4, 5 and 8 have beaten each other in a circle."""


def play_groups(event: Event, rounds: int = 3) -> None:
    """Play the groups; in group B the lower pairing number wins each game."""
    numbers = {e.player_id: e.pairing_number for e in event.tournament.entries.all()}
    for number in range(1, rounds + 1):
        for game in event.publish(number):
            first, second = numbers[game.first_id], numbers[game.second_id]
            wins = second in BEATS[first] if first in BEATS and second in BEATS else first < second
            result = "1-0" if wins else "0-1"
            rule_game(game, by=event.owner.account, reason="seen", result=result)
        settle()
        complete_round(event.tournament, number, by=event.owner.account)


def make_groups(owner: Person, tiebreaks: list[str], slug: str = "spring") -> Event:
    fields = {"system": "groups-knockout", "rounds": 5, "system_options": {"groups": 2}}
    event = make_event(owner, slug=slug, tiebreaks=tiebreaks, **fields)
    event.enter(*make_players(8))
    return event.step("open", "start")
