"""An event with one object of each kind, and everyone who may ask for it, for generated tests."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.core.permissions import SCOPES
from games.core.roles.services import offer_role
from games.models import Game, LiveRecord, Player, Role
from ratings.models import Pool
from tests.api.role_matrix import (
    ANONYMOUS,
    APP,
    BOUND,
    ELSEWHERE,
    EXPIRED,
    LINK,
    OTHER_DIRECTOR,
    OTHER_LINK,
    READER,
    REPORTER,
)
from tests.events import FIRST_WINS, Event, make_event, settle
from tests.games.core.oauth import make_program
from tests.people import Person, make_person, make_player, player_of
from tests.ratings.factories import day, file_event, make_analysis, make_list
from tests.tournament.actions import with_officials
from tournament.entries.byes import request_bye
from tournament.entries.links import create_links, open_session
from tournament.events.announcements import announce
from tournament.forecasts.services import request_forecast
from tournament.forecasts.state import load_forecast_state
from tournament.models import Correction, Entry, PersonalLink
from tournament.players.claims import make_claim
from tournament.players.services import merge_players
from tournament.smears.services import report_name
from tournament.webhooks.services import create_webhook


@dataclass(frozen=True, slots=True)
class Everything:
    """The event, its game, the people by role, and the value of each parameter of an address."""

    event: Event
    game: Game
    people: dict[str, Person]
    values: dict[str, Any]

    def path(self, address: str) -> str:
        """Return an address with the values of its parameters."""
        values = self.values | {"code": self.code_of(address)}
        if "/live" in address:  # a settled game has no live record
            values["game_id"] = values["live_game_id"]
        return address.format(**values)

    def code_of(self, address: str) -> str:
        """Return the code in an address, which is that of a game, a problem or a pool."""
        codes = {"rulesets": "star-star", "problems": "stale"}
        return next((code for name, code in codes.items() if address.startswith(name)), "star")


def make_everything(**fields: Any) -> Everything:
    """Create a running event of two players with a settled game, and the people of every role."""
    owner, ada, ben = make_person("Olga"), make_player("Ada", 2100), make_player("Ben", 1900)
    event = make_event(owner, pool="star", **fields)
    entry, _ = event.enter(player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    for person in (ada, ben):
        person.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    settle()
    game.refresh_from_db()
    (other,) = event.enter(Player.objects.create(name="Carl"))
    create_links(event.tournament, by=owner.account)
    announce(event.tournament, "13:00", by=owner.account)
    people = make_people(event, owner, ada)
    people[LINK], people[OTHER_LINK] = (holder_of(each) for each in (entry, other))
    assert owner.account is not None
    webhook = create_webhook(event.stream, "https://hooks.example.org/", [], by=owner.account)
    delivery = webhook.deliveries.create(sequence=1, kind="round.published", state="delivered")
    invitation = offer_role(
        event.stream, "ada@example.org", "scorer", name=event.tournament.name, by=owner.account
    )
    claimed, keep, merged = (Player.objects.create(name=name) for name in ("Cleo", "Dan", "Dann"))
    own_role = Role.objects.get(stream=event.stream, account=people["scorer"].account)
    values = {
        "slug": event.tournament.slug,
        "number": 1,
        "version": 1,
        "entry_id": entry.pk,
        "bye_id": request_bye(entry, 2, "half_bye", by=owner.account).pk,
        "game_id": game.pk,
        "player_id": player_of(ada).pk,
        "opponent_id": player_of(ben).pk,
        "task_id": f"report-{game.reports.get(version=1).pk}",
        "report_id": report_name(
            player_of(ben), reason="a smear", by=people["stranger"].account
        ).pk,
        "role_id": own_role.pk,
        "invitation_id": invitation.pk,
        "token_id": owner.with_token("tournament:read", stream=event.stream).token.token_key,
        "analysis_id": make_analysis(Pool.objects.get(), finished_at=day(1)).pk,
        "batch_id": file_event(Pool.objects.get(), "autumn", day(1), []).pk,
        "published_on": make_list(Pool.objects.get(), day(1), player_of(ada)).published_on,
        "account_id": people["officer"].account.pk,
        "app_id": make_program(owner, name="Kibitz").app.pk,
        "claim_id": make_claim(claimed, by=people["stranger"].account).pk,
        "correction": make_correction(event).number,
        "webhook_id": webhook.pk,
        "delivery_id": delivery.pk,
        "merge_id": merge_players(keep.pk, merged.pk, by=people["staff"].account).pk,
    }
    values["live_game_id"] = make_played(game).pk
    request_forecast(event.tournament, load_forecast_state(event.tournament))
    return Everything(event, game, people, values)


def make_played(game: Game) -> Game:
    """Return a game of the same players in their event that is being played, with its record."""
    played = Game.objects.get(pk=game.pk)
    played.pk, played.place, played.state = None, "1/1/2", Game.State.OPEN
    played.record, played.basis, played.winner, played.termination = None, "", "", ""
    played.score_first = played.score_second = played.confirmed_at = None
    played.save()
    LiveRecord.objects.create(game=played)
    return played


def holder_of(entry: Entry) -> Person:
    """Return who has opened the personal link of an entry."""
    link = PersonalLink.objects.select_related("entry__tournament").get(entry=entry)
    token, secret = open_session(link)
    return Person(entry.player.name, token.user, token, secret)


def make_correction(event: Event, number: int = 1) -> Correction:
    """Return a correction that changed nothing."""
    return Correction.objects.create(
        tournament=event.tournament,
        number=number,
        scope=Correction.Scope.ALL,
        reason="a test",
        changes=[],
        effect={"standings": [], "rounds": [], "prizes": [], "ratings": [], "advances": None},
    )


def make_people(event: Event, owner: Person, player: Person) -> dict[str, Person]:
    """Return the people by role, and the owner with tokens that allow less."""
    others = {"owner": owner, "player": player, "stranger": make_person("Stig")}
    people = with_officials(event.stream, others)
    people[OTHER_DIRECTOR] = make_person("Dora")
    Role.objects.create(
        stream="tournament/autumn", account=people[OTHER_DIRECTOR].account, role="director"
    )
    people["officer"] = make_person("Otto")
    Role.objects.create(
        stream="pool/star", account=people["officer"].account, role="rating_officer"
    )
    people["staff"] = make_person("Site", is_staff=True)
    people[BOUND] = owner.with_token(*SCOPES, stream=event.stream)
    people[ELSEWHERE] = owner.with_token(*SCOPES, stream="tournament/autumn")
    program = make_program(people["stranger"])
    scope = " ".join([*SCOPES, f"tournament:{event.tournament.slug}"])
    people[APP] = program.person(owner, scope)
    people[READER] = owner.with_token("tournament:read")
    people[REPORTER] = owner.with_token("result:write")
    people[EXPIRED] = expired = owner.with_token(*SCOPES)
    assert expired.token is not None
    expired.token.expiry = timezone.now() - timedelta(seconds=1)
    expired.token.save()
    people[ANONYMOUS] = Person("nobody")
    return people
