"""Nothing private leaks: on every path, suffix, filter and error, with every other token."""

import json
import re
from collections.abc import Iterator
from itertools import cycle, product

import pytest
from django.utils.timezone import now
from django_filters.rest_framework import DjangoFilterBackend

from games.core.permissions import SCOPES
from games.models import Game
from ratings.models import Pool
from tests.api.one_of_each import Everything, make_everything
from tests.api.operations import operations
from tests.api.role_matrix import ANONYMOUS, ELSEWHERE, LEVEL_OF, OTHER_DIRECTOR
from tests.events import Event, make_event, make_players
from tests.people import Person, content_of, player_of, problem_in
from tests.ratings.factories import file_event
from tournament.models import Entry

pytestmark = pytest.mark.any_database

NAME = "Hidden Harbour"
NAMES = {
    "{slug}": "hidden", "{number}": "1", "{entry_id}": "{entry}", "{game_id}": "{game}",
    "{task_id}": "{task}", "{correction}": "1",
}  # fmt: skip
"""The parameters of addresses, as values or as the names of the fixture `names`."""


def reads(start: str, *levels: str) -> tuple[str, ...]:
    """Return the addresses below one that the people of a level may read, with all suffixes."""
    found = []
    for operation in operations():
        address = operation.address
        if (
            operation.is_read
            and (operation.suffix or not operation.is_pdf)
            and address.startswith(start)
            and LEVEL_OF.get(str(operation)) in levels
        ):
            for parameter, value in NAMES.items():
                address = address.replace(parameter, value)
            found.append(address)
    return tuple(found)


PATHS = (
    "tournaments/hidden/rounds/1/pairings?explain=1",
    *(
        path
        for path in reads("tournaments/{slug}", "anyone")
        if "/forecast" not in path and "/groups" not in path
    ),
)
"""Without the forecast, which only a running event has once a task has computed it: it is tested in
tests/tournament/forecasts/test_forecast_endpoint.py. These events have no groups."""
TEXTS = tuple(
    path for path in PATHS if not path.endswith((".pdf", ".json", ".trf16", "/corrections/1"))
)
"""Without PDF, whose text is compressed, other suffixes of the same content, and a correction."""
GAME_PATHS = tuple(
    path
    for path in (
        *reads("games/{game_id}", "anyone", "people of the game"),
        *reads("tasks/{task_id}", "people of the task"),
    )
    if not path.endswith((".sgf", "/live"))
)
"""Without SGF, in which only Hex and TwixT are written, and what a settled game does not have."""
JOURNAL_HEAD = re.compile(
    rb"(SEQUENCE|DTSTAMP|LAST-MODIFIED):\S+|Journal \d+: [0-9a-f]{16}|\bid: \d+"
)
"""What calendars, pages and event streams say about the journal: number, time and digest."""
LISTS = ("tournaments", "tournaments?limit=1", "games")
FILTERS = {
    "tournaments": {
        "name": "Hidden", "state": "running", "ruleset": "star-star", "board_size": "4",
        "country": "POR", "system": "monrad", "slug": "hidden", "since": "2000-01-01",
        "until": "2099-12-31", "pool": "star", "player": "{player}",
    },
    "games": {
        "player": "{player}", "tournament_slug": "hidden", "round": "1",
        "ruleset": "star-star", "board_size": "4", "state": "confirmed", "basis": "proof",
        "rated": "true", "pool": "star", "id": "{game}", "since": "2000-01-01",
        "until": "2099-12-31",
    },
}  # fmt: skip
"""Values of every filter that find the event or its game."""


@pytest.fixture
def everything(db: None) -> Everything:
    """A private running event, with one game that both sides reported."""
    return make_everything(slug="hidden", name=NAME, public=False, country="POR")


@pytest.fixture
def hidden(everything: Everything) -> Event:
    return everything.event


@pytest.fixture
def names(everything: Everything) -> dict[str, object]:
    return {name.removesuffix("_id"): value for name, value in everything.values.items()}


def outsiders(organiser: Person, ada: Person, stranger: Person) -> Iterator[tuple[str, Person]]:
    """Yield everyone who may not see the event; some have a token for something else."""
    yield "anonymous", Person("anonymous")
    yield "a stranger", stranger
    yield (
        "the owner, bound to another event",
        organiser.with_token(*SCOPES, stream="tournament/autumn"),
    )
    yield "a player, bound to another event", ada.with_token(*SCOPES, stream="tournament/autumn")
    yield "the owner, to administer ratings", organiser.with_token("rating:admin")


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_only_its_people_see_a_private_event(
    everything: Everything, names: dict[str, object], is_short: bool
) -> None:
    """Let each person read each path; in short, one of its people and two others in turn.

    In short, its people get no PDF, which takes longer than all else and is printed elsewhere.
    """
    organiser, ada = everything.people["owner"], everything.people["player"]
    officials = [everything.people[role] for role in ("director", "scorer")]
    token = ada.with_token("tournament:read", stream="tournament/hidden")
    insiders = [organiser, *officials, ada, token]
    others = list(outsiders(organiser, ada, everything.people["stranger"]))
    next_insider, next_other = cycle(insiders), cycle(others[1:])
    for path in (path.format(**names) for path in (*PATHS, *GAME_PATHS)):
        readers = insiders if not is_short else [] if ".pdf" in path else [next(next_insider)]
        for person in readers:
            assert person.get(path).status_code == 200, path
        for name, person in (others[0], next(next_other)) if is_short else others:
            response = person.get(path)
            assert (path, name, response.status_code) == (path, name, 404)
            assert NAME not in problem_in(response, 404)["detail"]


def test_every_filter_of_public_lists_is_tried() -> None:
    names = {
        operation.base: {*DjangoFilterBackend().get_filterset_class(
            operation.view(), operation.view.queryset
        ).get_filters()}
        for operation in operations()
        if operation.is_read and operation.base in FILTERS
    }  # fmt: skip

    assert names == {path: set(values) for path, values in FILTERS.items()}


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_lists_omit_a_private_event(
    everything: Everything, names: dict[str, object], is_short: bool
) -> None:
    """Let everyone read the lists, also with each filter; in short, with it one of them in turn."""
    organiser, *rest = (everything.people[name] for name in ("owner", "player", "stranger"))
    others = list(outsiders(organiser, *rest))
    next_other = cycle(others)
    Game.objects.exclude(live=None).delete()  # each list has one row
    Game.objects.update(played_on="2026-05-01")
    batch = file_event(Pool.objects.get(), "hidden", now(), [everything.game])
    batch.games.update(exclusion="")
    filters = [f"{path}?{name}={value}" for path, values in FILTERS.items()
               for name, value in values.items()]  # fmt: skip
    for path in (*LISTS, *filters):
        readers = [next(next_other)] if is_short and path in filters else others
        path = path.format(**names)
        assert len(organiser.get(path).json()["results"]) == 1, path
        for name, person in readers:
            answer = person.get(path)
            if "tournament_slug=" in path:  # refused as one that never was
                detail = problem_in(answer, 422, "invalid_parameter")["detail"]
                nowhere = person.get(path.replace("hidden", "nowhere"))
                other = problem_in(nowhere, 422, "invalid_parameter")["detail"]
                assert (path, name, detail) == (path, name, other.replace("nowhere", "hidden"))
            else:
                assert (path, name, answer.json()["results"]) == (path, name, [])


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_no_other_address_names_a_private_event(everything: Everything, is_short: bool) -> None:
    """Let each outsider read each address; in short, one of them in turn."""
    outsiders = ("stranger", OTHER_DIRECTOR, ANONYMOUS)
    below = ("tournaments/{slug}", "games/{game_id}", "schema")
    public = [
        operation
        for operation in operations()
        if operation.is_read
        and not operation.base.startswith(below)
        and not operation.is_pdf  # compressed; HTML has the same values
        and LEVEL_OF.get(str(operation).strip()) in ("anyone", "account")
    ]
    for operation, name in (
        zip(public, cycle(outsiders)) if is_short else product(public, outsiders)
    ):
        response = everything.people[name].get(everything.path(operation.address))
        content = response.getvalue().decode(errors="replace")
        found = [text for text in (NAME, "tournament/hidden") if text in content]
        assert (str(operation), name, found) == (str(operation), name, [])


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_every_operation_of_a_private_event_is_404(everything: Everything, is_short: bool) -> None:
    """Let each outsider try each operation; in short, one of them in turn."""
    outsiders = ("stranger", OTHER_DIRECTOR, ELSEWHERE, ANONYMOUS)
    below = ("tournaments/{slug}", "games/{game_id}")
    others = [
        operation
        for operation in operations()
        if operation.address.startswith(below) and LEVEL_OF.get(str(operation)) != "anyone"
    ]
    found = []
    for operation, name in (
        zip(others, cycle(outsiders)) if is_short else product(others, outsiders)
    ):
        path = everything.path(operation.address)
        response = everything.people[name].send(operation.method, path, {})
        if response.status_code != 404 or NAME.encode() in content_of(response):
            found.append((str(operation), name, response.status_code))

    assert found == []
    assert len(others) > 40


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_only_its_owner_sees_a_draft(
    organiser: Person, ada: Person, stranger: Person, anonymous: Person, is_short: bool
) -> None:
    """Let each of the others read each path; in short, one of them in turn, and no PDF by Olga."""
    others = (ada, stranger, anonymous)
    next_other = cycle(others)
    event = make_event(organiser, slug="hidden", name=NAME)
    (entry,) = event.enter(player_of(ada))

    for path in PATHS:
        if "s/1" in path or "{correction}" in path:  # of a later state
            continue
        path = path.format(entry=entry.pk)
        if not (is_short and ".pdf" in path):
            assert organiser.get(path).status_code == 200, path
        for person in (next(next_other),) if is_short else others:
            problem_in(person.get(path), 404)
    for path in ("tournaments", "games"):
        for person in others:
            assert person.get(path).json()["results"] == []


class TestPublicEvent:
    """Some data of a public event is not public, or not yet."""

    @pytest.fixture
    def event(self, organiser: Person, ada: Person, ben: Person) -> Event:
        event = make_event(organiser)
        event.enter(player_of(ada), player_of(ben), *make_players(2))
        return event.step("open", "start")

    def non_officials(
        self, organiser: Person, ada: Person, stranger: Person
    ) -> Iterator[tuple[str, Person]]:
        yield from outsiders(organiser, ada, stranger)
        yield "a player", ada

    def test_a_drafted_round_is_hidden(
        self, organiser: Person, ada: Person, stranger: Person, event: Event
    ) -> None:
        entries = [entry.pk for entry in event.tournament.entries.order_by("pairing_number")]
        boards = [
            {"first_id": entries[0], "second_id": entries[1]},
            {"first_id": entries[2], "second_id": entries[3]},
        ]
        path = f"{event.path}/rounds/1"
        organiser.put(f"{path}/pairings", {"reason": "a family quarrel", "pairings": boards})

        assert organiser.get(f"{path}/pairings").status_code == 200
        assert organiser.get(path).json()["reason"] == "a family quarrel"
        for name, person in self.non_officials(organiser, ada, stranger):
            problem_in(person.get(f"{path}/pairings"), 404, "not_published")
            problem_in(person.get(f"{path}/pairings.csv"), 404, "not_published")
            for response in (person.get(path), person.get(f"{event.path}/rounds")):
                assert b"quarrel" not in response.content, name
                assert b"by_hand" not in response.content, name

    def test_journal_payloads_are_hidden(
        self, organiser: Person, ada: Person, stranger: Person, event: Event
    ) -> None:
        for form in ("", ".json"):
            lines = organiser.get(f"{event.path}/journal{form}").json()["results"]
            assert all(line["payload"] for line in lines)
            for name, person in self.non_officials(organiser, ada, stranger):
                body = person.get(f"{event.path}/journal{form}").json()["results"]
                hidden = [{key: line[key] for key in line if key != "payload"} for line in lines]
                assert (name, body) == (name, hidden)
        for name, person in self.non_officials(organiser, ada, stranger):
            text = person.get(f"{event.path}/journal.ndjson").content.decode()
            found = [json.loads(line) for line in text.splitlines()]
            assert (name, found) == (name, hidden)

    def test_year_and_sex_are_hidden_in_the_lines_of_a_trf(
        self, organiser: Person, ada: Person, stranger: Person, event: Event
    ) -> None:
        """Elsewhere tests/api/test_private_data.py looks for them."""
        entry = event.tournament.entries.get(player=player_of(ada))
        entry.birth_year, entry.sex = 1987, "w"
        entry.save()
        event.play(1)
        trf_files = ("standings.trf", "standings.trf16", "standings.trf26")
        read = lambda person, path: person.get(f"{event.path}/{path}").content.decode()  # noqa: E731

        for path in trf_files:
            assert "1987" in read(organiser, path), path
        assert "   1 w    Ada" in read(organiser, trf_files[0])
        for name, person in outsiders(organiser, ada, stranger):
            for path in trf_files:
                assert "   1      Ada" in read(person, path), (name, path)
                assert "1987" not in read(person, path), (name, path)


class TestDrafts:
    """Before a round is published, strangers see its pairings nowhere."""

    PATHS = (
        *(path for path in TEXTS if "/rounds" not in path),
        "tournaments/hidden/rounds/1/pairings",
        "tournaments/hidden/rounds/1/pairings.csv",
        "tournaments/hidden/entries?state=withdrawn",
        "tournaments/hidden/entries?state=accepted",
        "tournaments/hidden/entries/{late}",
        "tournaments/hidden/crosstable?round=1",
        "tournaments/hidden/standings?round=1",
        "tournaments/hidden/standings.trf26",
        "players/{player}/calendar.ics",
        "games?tournament_slug=hidden",
    )

    @pytest.fixture
    def event(self, organiser: Person, ada: Person) -> Event:
        """An event with prizes, in which Ada and five others play the first of three rounds."""
        prizes = [{"name": "all", "amounts": [10, 5]}]
        event = make_event(organiser, slug="hidden", name=NAME, system="dutch", prizes=prizes)
        event.enter(player_of(ada), *make_players(5))
        return event.step("open", "start")

    def change(self, event: Event, ada: Person) -> int:
        """Change who plays the next rounds, and whom; return the entry of a stronger player."""
        organiser, (late,) = event.owner, make_players(1, first_rating=2900)
        entries = list(event.tournament.entries.order_by("pairing_number"))
        separated = [{"by": "players", "players": [entry.player_id for entry in entries[2:4]]}]
        bye = {"entry_id": entries[1].pk, "round": 2, "kind": "half_bye"}
        withdrawn = event.tournament.entries.get(player=player_of(ada))
        entry = organiser.post(f"{event.path}/entries", {"player_id": late.pk})
        responses = (
            entry,
            organiser.post(f"{event.path}/entries/{withdrawn.pk}/withdraw"),
            organiser.post(f"{event.path}/byes", bye),
            organiser.patch(event.path, {"separations": separated}),
            organiser.put(f"{event.path}/entries/{entries[4].pk}/availability", {"3": "zero_bye"}),
            organiser.post(f"{event.path}/entries/{entries[5].pk}/withdraw", {"from_round": 3}),
        )
        for response in responses:
            assert response.status_code in (200, 201), response.content
        number: int = entry.json()["id"]
        return number

    def read(
        self, person: Person, ada: Person, late: int, paths: tuple[str, ...] = PATHS
    ) -> dict[str, bytes]:
        """Read the paths."""
        player = player_of(ada).pk
        entry = Entry.objects.get(player=player_of(ada)).pk
        found = {}
        for path in paths:
            response = person.get(path.format(entry=entry, late=late, player=player, correction=1))
            if response.status_code != 200:
                found[path] = response.json()["code"].encode()
            elif "journal" not in path:  # its lines show their kinds
                found[path] = JOURNAL_HEAD.sub(b"", content_of(response))
        return found

    @pytest.mark.parametrize(
        ("is_complete", "is_short"),
        [
            (False, True),
            pytest.param(False, False, marks=pytest.mark.long),
            pytest.param(True, False, marks=pytest.mark.long),
        ],
        ids=["round open, in short", "round open", "round complete"],
    )
    def test_a_draft_changes_nothing_for_strangers(
        self,
        organiser: Person,
        ada: Person,
        stranger: Person,
        anonymous: Person,
        event: Event,
        is_complete: bool,
        is_short: bool,
    ) -> None:
        """Compare what each stranger reads before and after; in short, one of them each time."""
        others = (stranger, organiser.with_token("rating:admin"))
        people = others[:1] if is_short else (anonymous, *others)
        if is_complete:
            event.play(1)
            late = self.change(event, ada)
        else:
            event.publish(1)
            late = self.change(event, ada)
            event.finish(1)
        before = [self.read(person, ada, late) for person in people]
        event.draft(2)

        assert [self.read(person, ada, late) for person in people] == before
        public = before[0]
        address, byes, trf, pairings = (
            f"tournaments/hidden{path}"
            for path in ("", "/byes", "/standings.trf26", "/rounds/2/pairings")
        )
        private = self.read(organiser, ada, late, (address, byes, trf))
        separated = b'"separations":[{'
        assert (separated in private[address], separated in public[address]) == (True, False)
        assert (b"half_bye" in private[byes], b"half_bye" in public[byes]) == (True, False)
        assert (b"\n260 " in private[trf], b"\n260 " in public[trf]) == (True, False)

        organiser.post(f"{event.path}/rounds/2/publish")
        published = self.read(stranger, ada, late, (byes, trf, pairings))
        assert b"half_bye" in published[byes]
        assert published[trf] != public[trf]
        assert b'"rows":[{' in published[pairings]

    def test_changes_of_entries_are_seen_at_once(
        self, ada: Person, anonymous: Person, event: Event
    ) -> None:
        event.publish(1)
        late = self.change(event, ada)

        entries = anonymous.get(f"{event.path}/entries").json()["results"]
        found = {entry["id"]: entry for entry in entries}
        assert (found[late]["number"], found[late]["first_round"]) == (1, 2)
        (withdrawn,) = anonymous.get(f"{event.path}/entries?state=withdrawn").json()["results"]
        assert withdrawn["player"]["name"] == "Ada"
        boards = anonymous.get(f"{event.path}/rounds/1/pairings").json()["rows"]
        seats = [board[seat] for board in boards for seat in ("first", "second")]
        assert {seat["id"]: seat["number"] for seat in seats} == {
            pk: entry["number"] for pk, entry in found.items() if pk != late
        }

    def test_the_draw_seed_is_secret_until_a_round_is_published(
        self, organiser: Person, ada: Person, anonymous: Person, event: Event
    ) -> None:
        seed = event.tournament.draw_seed
        event.draft(1)
        for path in {*TEXTS, "tournaments", *self.PATHS}:
            path = path.format(
                entry=event.tournament.entries.first().pk, late=0, player=0, correction=1
            )
            content = content_of(anonymous.get(path))
            assert seed.encode() not in content, path
            assert str(int(seed, 16) + 1).encode() not in content, path

        organiser.post(f"{event.path}/rounds/1/publish")
        assert anonymous.get(event.path).json()["draw_seed"] == seed
