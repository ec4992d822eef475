"""Fill the pool `star` with very many random games, in events of the same size."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from random import Random

from django.db import transaction

from games.core.uploads.services import insert_values
from games.models import Game, Player
from ratings.batches.eligibility import RatedInput, digest_games
from ratings.models import Batch, BatchGame, Pool
from ratings.systems.elo import DRAW, LOSS, WIN

START = datetime(2020, 1, 1, tzinfo=UTC)
RESULTS = {WIN: ("first", False), DRAW: ("", True), LOSS: ("second", False)}
EVENTS_AT_ONCE = 200


@transaction.atomic
def fill_pool(games: int, *, players: int, event_size: int, seed: int = 1) -> Pool:
    """File games as the services would, only faster; the last event may be smaller."""
    chance = Random(seed)
    pool = Pool.objects.get(code="star")
    names = [vars(Player(name=f"P {n}", folded_name=f"p {n}")) for n in range(players)]
    people = insert_values(Player, names)
    step = EVENTS_AT_ONCE * event_size
    for start in range(0, games, step):
        numbers = range(start, min(start + step, games))
        _file_events(pool, people, numbers, event_size, chance)
    return pool


def _file_events(
    pool: Pool, people: list[int], numbers: range, event_size: int, chance: Random
) -> None:
    new_game = vars(
        Game(
            game="star-star", board="10", pool="star", state=Game.State.CONFIRMED,
            termination="agreed", confirmed_at=START, created_at=START, consented=True,
        )
    )  # fmt: skip
    games, scores = [], []
    for number in numbers:
        first, second = chance.sample(people, 2)
        scores.append(score := chance.choice([WIN, DRAW, LOSS]))
        winner, draw = RESULTS[score]
        stream = f"tournament/{number // event_size}"
        seats = {"first_id": first, "second_id": second, "winner": winner, "draw": draw}
        games.append(new_game | seats | {"stream": stream})
    keys = insert_values(Game, games)

    new_batch = vars(Batch(pool=pool, kind="event", state="filed", approved=True, filed_at=START))
    new_row = vars(BatchGame(pool=pool, handicap_part=0))
    batches, rows = [], []
    filed = zip(keys, games, scores, strict=True)
    for event in range(numbers[0] // event_size, -(-numbers.stop // event_size)):
        inputs = [
            RatedInput(key, game["first_id"], game["second_id"], None, None, 0, 0, False, False,
                       score, 0, first_junior=False, second_junior=False, exclusion="")
            for key, game, score in islice(filed, event_size)
        ]  # fmt: skip
        at = START + timedelta(minutes=5 * event)
        digest = digest_games(at, inputs)
        names = {"stream": f"tournament/{event}", "label": f"Event {event}"}
        batches.append(
            new_batch | names | {"effective_at": at, "games_digest": digest, "order_key": "1"}
        )
        rows.append(inputs)
    batch_keys = insert_values(Batch, batches)
    insert_values(
        BatchGame,
        [
            new_row
            | {"batch_id": batch, "game_id": game.game_id, "score": game.score}
            | {"first_id": game.first_id, "second_id": game.second_id}
            for batch, inputs in zip(batch_keys, rows, strict=True)
            for game in inputs
        ],
    )
