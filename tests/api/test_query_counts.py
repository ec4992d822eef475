"""No read takes more queries if there are more rows: every address, with few rows and with many."""

from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.core.permissions import SCOPES
from games.core.roles.services import offer_role
from games.models import Player, Role, Token
from games.play.services import rule_game
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.api.one_of_each import Everything, make_correction, make_everything
from tests.api.operations import Operation, operations
from tests.events import approve_organiser, make_event, make_players, settle
from tests.people import Person, make_person
from tests.ratings.factories import day, file_event, make_analysis, make_list
from tournament.entries.byes import request_bye
from tournament.entries.links import create_links
from tournament.players.claims import make_claim
from tournament.players.services import merge_players
from tournament.rounds.services import unpair_round
from tournament.smears.services import report_name
from tournament.webhooks.services import create_webhook

NOT_READ = ("schema", ".svg")
"""Pages that read no rows, and formats of tables that are read in other formats too."""

OF_SAME_LENGTH = {
    "rulesets", "rules/systems", "pools/{code}/ratings", "players/{player_id}/rating-history",
    "pools/{code}/lists/{published_on}/ratings",
    "pools/{code}/runs/{number}/changes", "handicap-tables", "problems",
    "tournaments/{slug}/ties", "tournaments/{slug}/announcements", "players/{player_id}/ratings",
    "games/{game_id}/rating-changes", "pools/{code}/games", "players/{player_id}/games",
    "me/entries", "me/games", "me/next",
}  # fmt: skip
"""Lists that have the same length here; those that are no constants have tests of their own."""

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def make_rows(everything: Everything, count: int) -> Everything:
    """Add an event with rows of every kind, and as many other rows; return its parameters."""
    owner, staff = everything.event.owner, everything.people["staff"]
    event = make_event(owner, slug="many", pool="star", rounds=count + 2)
    entries = event.enter(*make_players(2 * count + 4))
    event.step("open", "start").play(1)
    for _ in range(count):
        event.draft(2)
        unpair_round(event.tournament, 2, reason="again", by=owner.account)
    game = event.publish(2)[0]
    create_links(event.tournament, by=owner.account)
    for number in range(count):
        make_correction(event, number + 1)
        bye = request_bye(entries[number], 3, "zero_bye", by=owner.account)
        rule_game(game, by=owner.account, reason=f"ruling {number}", result="1-0")
        settle()
        person = make_person(f"Person{number}")
        role = Role.objects.create(stream=event.stream, account=person.account, role="scorer")
        Role.objects.create(stream="pool/star", account=person.account, role="rating_officer")
        address = f"new{number}@example.org"
        invitation = offer_role(event.stream, address, "scorer", name="", by=owner.account)
        offer_role(
            f"tournament/other-{number}", "site@example.org", "scorer", name="", by=owner.account
        )
        staff.with_token(*SCOPES)
        owner.with_token(*SCOPES, stream=event.stream)
        claimed, keep, merged = Player.objects.bulk_create(
            Player(name=f"{name} {number}") for name in ("Claimed", "Kept", "Merged")
        )
        claim = make_claim(claimed, by=person.account)
        report_name(claimed, reason="a smear", by=person.account)
        merge_players(keep.pk, merged.pk, by=staff.account)
        make_event(owner, slug=f"other-{number}", pool="star").step("open")
        file_event(Pool.objects.get(code="star"), f"winter-{number}", day(2), [])
        advance_pool(Pool.objects.get(code="star").pk)
        make_list(Pool.objects.get(code="star"), day(number + 2))
        make_analysis(Pool.objects.get(code="star"), finished_at=day(2))
        Pool.objects.create(code=f"pool-{number}", name=f"Pool {number}", preset="decay")
        approve_organiser(person)
        webhook = create_webhook("pool/star", "https://hooks.example.org/", [], by=staff.account)
    for number in range(count):
        webhook.deliveries.create(sequence=number, kind="pool.rated")
    values = {
        "slug": "many", "number": 2, "entry_id": entries[0].pk, "bye_id": bye.pk,
        "game_id": game.pk, "role_id": role.pk, "invitation_id": invitation.pk,
        "webhook_id": webhook.pk, "claim_id": claim.pk, "player_id": entries[0].player_id,
    }  # fmt: skip
    return replace(everything, values=everything.values | values)


@dataclass(frozen=True, slots=True)
class Read:
    """The queries of a read, and the number of rows in a list; none if it is not allowed."""

    queries: int = 0
    rows: int | None = None


def read(person: Person, path: str) -> Read:
    with CaptureQueriesContext(connection) as queries:
        response = person.get(path)
    if response.status_code != 200:
        return Read()
    is_json = response["Content-Type"].startswith("application/json")
    body = response.json() if is_json else {}
    return Read(len(queries), len(body["results"]) if "results" in body else None)


def read_all(name: str, count: int) -> dict[str, Read]:
    """Return what `read` returns for each address, with so many rows of each kind."""
    with transaction.atomic():
        everything = make_rows(make_everything(), count)
        person = everything.people[name]
        # The last use of a token is stored once a minute, which takes a query.
        Token.objects.update(last_used_at=timezone.now() + timedelta(hours=1))
        found = {
            operation.address: read(person, everything.path(operation.address))
            for operation in tried_operations()
        }
        transaction.set_rollback(True)
    return found


def tried_operations() -> list[Operation]:
    """Return the reads, each address with the suffixes of its tables."""
    return [
        operation
        for operation in operations()
        if operation.is_read
        and not operation.is_pdf
        and operation.suffix != ".json"
        and not operation.address.endswith(NOT_READ)
    ]


@pytest.mark.parametrize(
    "name",
    ["staff", *(pytest.param(name, marks=pytest.mark.long) for name in ("owner", "anonymous"))],
)
def test_the_queries_do_not_grow(name: str) -> None:
    few, many = read_all(name, 1), read_all(name, 3)

    queries = {
        address: (found.queries, many[address].queries)
        for address, found in few.items()
        if many[address].queries > found.queries
    }
    assert queries == {}
    if name == "staff":  # who sees all rows
        lists = {address for address, found in few.items() if found.rows is not None}
        same = {address for address in lists if few[address].rows == many[address].rows}
        assert same == OF_SAME_LENGTH & few.keys()
