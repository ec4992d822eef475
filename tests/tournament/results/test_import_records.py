"""Imports of records into the games of an event: which game, and what refuses the file."""

import pytest
from django.http import HttpResponse

from games.models import Game
from tests.events import SET_UP, Event, make_event, make_players, settle
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db


class TestRecords:
    @pytest.fixture
    def played(self, organiser: Person) -> Event:
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
