"""Imports of entries from CSV and of records: dialects, dry runs, errors with their line."""

import pytest
from django.core.management import call_command
from django.http import HttpResponse

from games.models import Game, Player
from tests.events import SET_UP, Event, make_event, make_players, settle
from tests.people import Person, problem_in
from tournament.entries.imports import COLUMNS
from tournament.entries.serializers import VALUES, EntrySerializer
from tournament.models import Entry
from tournament.webhooks.feed import last_sequence, load_feed

LINES = (
    "name,country,club,seed_rating,birth_year,sex,category\n"
    "Ada,por,Lisbon,1900,1990,W,open\nBen,,,,,,\n"
)
TABS = "country\tname\nPOR\tZoë\nCAN\tBen\n"


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


def post(person: Person, event: Event, content: bytes | str, query: str = "") -> HttpResponse:
    body = content.encode() if isinstance(content, str) else content
    return person.post(f"{event.path}/entries/import{query}", body, content_type="text/csv")


def test_a_line_becomes_an_entry(organiser: Person, event: Event) -> None:
    ben = Player.objects.create(name="Ben", seed_rating=1700)

    answer = post(organiser, event, LINES)

    assert answer.status_code == 201
    assert [line["action"] for line in answer.json()["lines"]] == ["created", "known"]
    ada, second = event.tournament.entries.order_by("pk")
    values = (ada.seed_rating, ada.birth_year, ada.sex, ada.category, ada.player.country)
    assert values == (1900, 1990, "w", "open", "POR")
    assert (second.player, second.seed_rating) == (ben, 1700)
    assert [entry.kind for entry in load_feed(event.stream, after=0, limit=100)] == [
        "tournament.registration", "entry.accepted", "entry.accepted",
    ]  # fmt: skip


@pytest.mark.parametrize("is_running", [False, True])
def test_each_entry_of_a_file_is_announced(
    organiser: Person, event: Event, is_running: bool
) -> None:
    if is_running:
        event.enter(*make_players(2))
        event.step("start")
    end = last_sequence(event.stream)

    post(organiser, event, LINES)

    found = [(line.kind, line.data) for line in load_feed(event.stream, after=end, limit=100)]
    entries = {
        entry["entry"]: entry for entry in organiser.get(f"{event.path}/entries").json()["results"]
    }
    assert [kind for kind, _ in found] == ["entry.accepted"] * 2
    for (_, data), name in zip(found, ("Ada", "Ben"), strict=True):
        entry = entries[data["entry"]]
        assert data["player"] == {"id": entry["player"]["id"], "name": name}
        assert data["number"] == entry["number"]
        assert (data["number"] is not None) == is_running
        assert data["address"].endswith(f"{event.path}/entries/{data['entry']}")
    call_command("verify_state", event.stream)


@pytest.mark.parametrize(
    "content",
    [
        "name;country;seed_rating\nAda;POR;1.900\nBen;CAN;1.850\n",
        'name,country,seed_rating\nAda,POR,"1,900"\nBen,CAN,"1,850"\n',
        "name;country;seed_rating\nAda;POR;1 900\nBen;CAN;1’850\n",
        "name;country;seed_rating\nAda;POR;1\u202f900\nBen;CAN;1849,5\n",
    ],
)
def test_ratings_with_a_sign_after_the_thousands(
    organiser: Person, event: Event, content: str
) -> None:
    assert post(organiser, event, content).status_code == 201

    ratings = event.tournament.entries.order_by("pk").values_list("seed_rating", flat=True)
    assert list(ratings) == [1900, 1850]


@pytest.mark.parametrize("rating", ["1.9", "1,85", "2", "99", "5.000", "1.90"])
def test_a_number_that_no_rating_is_names_its_line(
    organiser: Person, event: Event, rating: str
) -> None:
    content = f"name;seed_rating\nAda;1900\nBen;{rating}\n"

    problem = problem_in(post(organiser, event, content), 422)

    (error,) = problem["errors"]
    assert (error["line"], error["pointer"]) == (3, "/3/seed_rating")
    assert "is not a rating from 100 to 4000, or 0 for none" in error["detail"]
    assert not event.tournament.entries.exists()
    (ada,) = make_players(1)
    refused = organiser.post(f"{event.path}/entries", {"player": ada.pk, "seed_rating": 2})
    assert problem_in(refused, 422)["errors"][0]["pointer"] == "/seed_rating"


@pytest.mark.parametrize(
    "content",
    [
        TABS.encode(),
        TABS.replace("\t", ";").encode("latin-1"),
        b"\xef\xbb\xbf" + TABS.replace("\t", ",").replace("\n", "\r\n").encode(),
        TABS.replace("\t", ";").replace("country", '"COUNTRY"').encode(),
    ],
    ids=["tabs", "semicolons in latin-1", "BOM and CRLF", "quotes"],
)
def test_common_dialects(organiser: Person, event: Event, content: bytes) -> None:
    assert post(organiser, event, content).status_code == 201

    names = event.tournament.entries.values_list("player__name", "player__country")
    assert sorted(names) == [("Ben", "CAN"), ("Zoë", "POR")]


def test_an_existing_entry_stays_unchanged(organiser: Person, event: Event) -> None:
    post(organiser, event, LINES)

    answer = post(organiser, event, LINES)

    assert [line["action"] for line in answer.json()["lines"]] == ["entered", "entered"]
    assert event.tournament.entries.count() == 2


def test_an_ambiguous_line_is_refused_and_named_by_an_id(organiser: Person, event: Event) -> None:
    _, second = (Player.objects.create(name="Ada", country="POR", club=club) for club in "AB")

    problem = problem_in(post(organiser, event, "name;Land\nADA;por\n"), 422, "invalid_lines")
    (error,) = problem["errors"]
    assert error["code"] == "ambiguous_player"
    assert error["detail"].endswith("; name the player by id (or `new`) in the column `player`")
    answer = post(organiser, event, f"name;Land;player_id\nADA;por;{second.pk}\n").json()

    assert answer["columns"] == {"name": "name", "Land": "country", "player_id": "player"}
    assert event.tournament.entries.get().player == second


def test_a_dry_run_changes_nothing(organiser: Person, event: Event) -> None:
    answer = post(organiser, event, LINES, "?dry_run=1")

    assert answer.status_code == 200
    assert [line["player"]["id"] for line in answer.json()["lines"]] == [None, None]
    assert (Entry.objects.count(), Player.objects.count()) == (0, 0)


def test_a_late_entry_is_inserted_at_its_seed_position(organiser: Person) -> None:
    event = make_event(organiser)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)

    post(organiser, event, "name,seed_rating\nLate,3000\n")

    late = event.tournament.entries.get(player__name="Late")
    assert (late.pairing_number, late.first_round) == (1, 2)


def test_only_lines_of_accepted_players_enter_somebody(organiser: Person, event: Event) -> None:
    """Others register nobody either, and may name somebody twice."""
    states = ["accepted", "Accepted ", "", "withdrawn", "refused", "waiting", "applied"]
    lines = "".join(f"P{number},{state}\n" for number, state in enumerate(states))

    answer = post(organiser, event, f"name,state\n{lines}P0,withdrawn\n")

    assert answer.status_code == 201, answer.content
    actions = [line["action"] for line in answer.json()["lines"]]
    assert actions == ["created"] * 3 + ["left_out"] * 5
    assert sorted(event.tournament.entries.values_list("player__name", flat=True)) == [
        "P0", "P1", "P2",
    ]  # fmt: skip
    assert not Player.objects.filter(name="P3").exists()


def test_a_column_about_another_state_is_ignored_on_request(
    organiser: Person, event: Event
) -> None:
    content = "name,state\nAda,NY\n"
    problem = problem_in(post(organiser, event, content), 422, "invalid_lines")

    assert "applied, accepted, refused, waiting, withdrawn" in problem["detail"]
    assert "ignore this column" in problem["detail"]
    assert post(organiser, event, content, "?columns=state:ignore").status_code == 201


WRONG = {
    "a year too early": ("name,birth_year\nAda,1990\nBen,19\n", 422, "invalid_lines", 3),
    "an unknown code of sex": ("name,sex\nAda,W\nBen,x\n", 422, "invalid_lines", 3),
    "an unknown column": ("name,colour\nAda,red\n", 422, "wrong_columns", None),
    "a column twice": ("name,name\nAda,Ada\n", 422, "wrong_columns", None),
    "no name": ("country,club\nPOR,Lisbon\n", 422, "wrong_columns", None),
    "nothing": ("", 422, "wrong_columns", None),
    "too many values": ("name,country\nAda,POR,1\n", 422, "invalid_lines", 2),
    "half a line": ("name,country\nAda,POR\nBen\n", 422, "invalid_lines", 3),
    "an invalid country": ("name,country\nAda,Atlantis\n", 422, "invalid_lines", 2),
    "a rating that is too high": ("name,seed_rating\nAda,9999\n", 422, "invalid_lines", 2),
    "digits of another script": ("name,seed_rating\nAda,١٢٣\n", 422, "invalid_lines", 2),
    "a name twice": ("name\nAda\nAda\n", 422, "invalid_lines", 3),
    "an unknown id": ("player\n77\n", 422, "invalid_lines", 2),
    "an empty name": ('name,country\n" ",POR\n', 422, "invalid_lines", 2),
    "a huge id": ("player\n" + "9" * 40 + "\n", 422, "invalid_lines", 2),
    "an open quote": ('name\n"Ada\n', 400, "unreadable_csv", None),
    "a NUL": ("name\nA\0da\n", 400, "nul_byte", 2),
}


@pytest.mark.parametrize(("content", "status", "code", "line"), WRONG.values(), ids=WRONG)
def test_an_invalid_file_is_rejected(
    organiser: Person, event: Event, content: str, status: int, code: str, line: int | None
) -> None:
    problem = problem_in(post(organiser, event, content), status, code)

    if line:
        assert problem["errors"][0]["line"] == line
    assert (Entry.objects.count(), Player.objects.count()) == (0, 0)


def test_permissions(everyone: dict[str, Person], event: Event) -> None:
    found = {name: post(person, event, LINES).status_code for name, person in everyone.items()}

    assert found == {"organiser": 201, "player": 403, "stranger": 403, "anonymous": 401}


def test_entering_after_the_last_pairing(organiser: Person) -> None:
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)

    problem_in(post(organiser, event, LINES), 409, "no_round_left")


class TestRecords:
    @pytest.fixture
    def played(self, organiser: Person, event: Event) -> Event:
        event = make_event(organiser, slug="played")
        event.enter(*make_players(4))
        event.step("open", "start").publish()
        return event

    def record(self, *tags: str, moves: str = "S10 T10 agreed 11-10") -> str:
        lines = ['[Game "star-star"]', f'[Board "{SET_UP["board_size"]}"]', *tags]
        return "\n".join(lines) + f"\n\n{moves}\n\n"

    def post(self, person: Person, event: Event, text: str, query: str = "") -> HttpResponse:
        address = f"{event.path}/records/import{query}"
        return person.post(address, text.encode(), content_type="text/plain")

    def test_each_record_is_added_to_its_game(self, organiser: Person, played: Event) -> None:
        first, second = played.games()
        text = self.record('[Round "1"]', '[Table "1"]') + self.record(
            f'[First "{second.first.name}"]', f'[Second "{second.second.name}"]'
        )

        answer = self.post(organiser, played, text)
        settle()

        assert answer.status_code == 201
        records = answer.json()["records"]
        assert [(line["game"], line["board"]) for line in records] == [
            (first.pk, 1),
            (second.pk, 2),
        ]
        games = Game.objects.order_by("pk")
        assert [(g.state, g.score_first, g.record_id is not None) for g in games] == [
            ("confirmed", 11, True)
        ] * 2

    def test_names_take_precedence_over_the_board_number(
        self, organiser: Person, played: Event
    ) -> None:
        first, second = played.games()
        names = f'[First "{second.first.name}"]', f'[Second "{second.second.name}"]'

        answer = self.post(organiser, played, self.record('[Round "1"]', '[Table "1"]', *names))

        assert [line["game"] for line in answer.json()["records"]] == [second.pk]
        mixed = f'[First "{first.first.name}"]', f'[Second "{second.second.name}"]'
        for tags in (mixed, ('[Round "2"]', '[Table "2"]', *names)):
            problem_in(self.post(organiser, played, self.record(*tags)), 422, "invalid_lines")

    def test_a_dry_run_adds_no_ruling(self, organiser: Person, played: Event) -> None:
        text = self.record('[Round "1"]', '[Table "1"]')

        assert self.post(organiser, played, text, "?dry_run=1").status_code == 200
        assert settle() == 0

    @pytest.mark.parametrize(
        ("bad", "code", "line"),
        [
            ({"moves": "S10 S10"}, "occupied", 6),
            ({"moves": "S10 T10"}, "record_unfinished", 6),
            ({"tags": ['[Round "2"]', '[Table "1"]']}, "no_such_game", 6),
            ({"tags": ['[Round "1"]', '[Table "1"]']}, "no_such_game", 6),
            ({"tags": []}, "no_such_game", 6),
            ({"tags": ['[Round "1"]', '[Table "2"]', '[Swap "no"]']}, "conditions_differ", 6),
        ],
        ids=["illegal", "unfinished", "no such round", "twice", "no tags", "other conditions"],
    )
    def test_one_invalid_record_rejects_the_file(
        self, organiser: Person, played: Event, bad: dict[str, object], code: str, line: int
    ) -> None:
        tags = bad.pop("tags", ['[Round "1"]', '[Table "2"]'])
        good = self.record('[Round "1"]', '[Table "1"]').rstrip("\n") + "\n"
        text = good + self.record(*tags, **bad)

        problem = problem_in(self.post(organiser, played, text), 422, "invalid_lines")

        assert [(error["code"], error["line"]) for error in problem["errors"]] == [(code, line + 1)]
        assert settle() == 0

    def test_a_file_without_records(self, organiser: Person, played: Event) -> None:
        for text in ("", "name,country\nAda,POR\n", "PK\x03\x04"):
            problem_in(self.post(organiser, played, text), 422, "invalid_lines")
        assert settle() == 0

    def test_permissions(self, everyone: dict[str, Person], played: Event) -> None:
        text = self.record('[Round "1"]', '[Table "1"]')
        found = {n: self.post(person, played, text).status_code for n, person in everyone.items()}

        assert found == {"organiser": 201, "player": 403, "stranger": 403, "anonymous": 401}


def test_each_value_of_an_entry_is_a_column_of_a_file_and_in_the_response() -> None:
    assert set(VALUES) <= set(COLUMNS)
    assert set(VALUES) <= set(EntrySerializer().fields)
