"""Pools with random histories: the service and the program without its code rate them alike."""

from datetime import UTC, datetime
from random import Random

import pytest
from django.core.management import call_command

from games.models import Account, Game, Player
from ratings import recompute_pool
from ratings.batches.services import restore_batch, withdraw_batch
from ratings.models import Batch, Pool
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from ratings.systems.presets import Start
from tests.ratings.factories import file_event, make_game
from tests.ratings.runs.test_openings import add_openings

pytestmark = [pytest.mark.django_db]

SYSTEMS = (
    ("decay", {}),
    ("fide-2024", {}),
    ("fixed", {"k0": 32, "kmin": 32, "start": 1200}),
    ("fide-2024", {"limit_400": 0}),
)
SEEDS = (None, 1401, 1405, 1500, 1800, 2290, 2399, 2660)
"""Some near the floor of FIDE's system, 1400, and near the ratings at which its K changes."""
STEPS = 24


class RandomPool:
    """A pool to which random things happen: `step` does one of them."""

    def __init__(self, pool: Pool, officer: Account, seed: int) -> None:
        self.chance = Random(seed)
        self.pool, self.officer = pool, officer
        self.players = [
            Player.objects.create(
                name=f"Player {number}",
                seed_rating=self.chance.choice(SEEDS),
                seed_games=self.chance.choice([0, 0, 29, 200]),
                seed_reached_2400=self.chance.random() < 0.2,
                birth_year=self.chance.choice([None, 1980, 2010]),
            )
            for number in range(9)
        ]
        self.events: dict[str, list[Game]] = {}

    def step(self) -> None:
        steps = [self.file, self.file, self.move, self.correct, self.annul, self.change_state]
        if len(self.players) > 2:
            steps.append(self.merge)
        self.chance.choice(steps if len(self.events) > 3 else [self.file])()

    def day(self) -> datetime:
        return datetime(2026, self.chance.randint(1, 4), self.chance.randint(1, 28), tzinfo=UTC)

    def file(self) -> None:
        name = f"event-{len(self.events)}"
        games = []
        for _ in range(self.chance.randint(1, 6)):
            handicap = {"seat": "second", "stones": self.chance.randint(2, 5)}
            more = {"handicap": handicap} if self.chance.random() < 0.2 else {}
            if more or self.chance.random() < 0.2:
                more |= {"swap": False}
            result = self.chance.choice(["1-0", "1-0", "0-1", "1/2", ""])
            games.append(make_game(*self.chance.sample(self.players, 2), result, **more))
        self.events[name] = games
        batch = file_event(self.pool, name, self.day(), games)
        if self.chance.random() < 0.2:
            has_reached = self.chance.random() < 0.3
            opening = Start(self.chance.randint(1_390_000, 2_410_000), 12, has_reached)
            add_openings(batch, {games[0].first_id: opening})

    def move(self) -> None:
        name = self.chance.choice(sorted(self.events))
        if self.batch(name).state == Batch.State.FILED:
            file_event(self.pool, name, self.day(), self.events[name])

    def correct(self) -> None:
        Game.objects.filter(pk=self.game().pk, state="confirmed").update(
            winner=self.chance.choice(["first", "second"]), draw=False
        )

    def annul(self) -> None:
        Game.objects.filter(pk=self.game().pk).update(state="annulled", winner="", draw=False)

    def merge(self) -> None:
        one, other = self.chance.sample(self.players, 2)
        Player.objects.filter(pk=one.pk).update(merged_into=other)
        Player.objects.filter(merged_into=one).update(merged_into=other)
        self.players.remove(one)

    def change_state(self) -> None:
        batch = self.batch(self.chance.choice(sorted(self.events)))
        is_filed = batch.state == Batch.State.FILED
        change = withdraw_batch if is_filed else restore_batch
        change(batch, reason="a test", by=self.officer)

    def batch(self, name: str) -> Batch:
        return self.pool.batches.get(stream=f"tournament/{name}")

    def game(self) -> Game:
        return self.chance.choice(self.events[self.chance.choice(sorted(self.events))])


@pytest.mark.parametrize(
    "seed", [3, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(50) if seed != 3)]
)
def test_the_program_agrees_after_each_run(star, officer, tmp_path, capsys, seed):
    preset, parameters = SYSTEMS[seed % len(SYSTEMS)]
    Pool.objects.filter(pk=star.pk).update(preset=preset, parameters=parameters)
    star.refresh_from_db()
    happening = RandomPool(star, officer.account, seed)
    path = tmp_path / "pool.ndjson"
    for number in range(STEPS):
        happening.step()
        if happening.chance.random() < 0.4 or number == STEPS - 1:
            advance_pool(star.pk)
            call_command("export_pool", "star", "--output", str(path))
            assert recompute_pool.main(str(path)) == 0, capsys.readouterr().err
    star.refresh_from_db()
    assert verify_pool(star) == []
