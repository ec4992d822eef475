"""Columns of games are rated to the same digits as batches of objects, compiled or not."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.elo import DRAW, LOSS, WIN, Elo, PlayerState, RatedGame, rate_batch
from ratings.systems.history import GameColumns, History, rate_history
from ratings.systems.presets import PRESETS

PLAYERS = 6
players = st.integers(0, PLAYERS - 1)
rated_games = st.builds(
    RatedGame, players, players, st.sampled_from([WIN, DRAW, LOSS]), st.integers(-900_000, 900_000)
).filter(lambda game: game.first != game.second)
histories = st.lists(st.lists(rated_games, min_size=1, max_size=12), max_size=6)
start_states = st.lists(
    st.builds(PlayerState, st.integers(-9_000_000, 9_000_000), st.integers(0, 300)),
    min_size=PLAYERS,
    max_size=PLAYERS,
)
systems = st.sampled_from(
    [PRESETS["decay"], PRESETS["fixed"], Elo(k0=1000, kmin=1, n0=1000, start=0)]
)


def as_array(values):
    return np.array(values, np.int64)


def rate_by_columns(states, batches, elo, *, compiled=False) -> History:
    games = [game for batch in batches for game in batch]
    columns = GameColumns(
        players=as_array([player for game in games for player in game[:2]]),
        scores=as_array([game.score for game in games]),
        parts=as_array([game.handicap_part for game in games]),
        ends=np.cumsum(as_array([len(batch) for batch in batches])),
    )
    ratings, played = (as_array(column) for column in zip(*states, strict=True))
    return rate_history(columns, ratings, played, elo, compiled=compiled)


def as_lists(history: History):
    return {item.name: getattr(history, item.name).tolist() for item in fields(history)}


@given(start_states, histories, systems)
def test_a_history_has_the_digits_of_its_batches(states, batches, elo):
    after = dict(enumerate(states))
    changes = []
    for batch in batches:
        done = rate_batch(after, batch, elo)
        after |= done.states()
        changes += done.changes()
    assert as_lists(rate_by_columns(states, batches, elo)) == {
        "before": [change.before for change in changes],
        "expected": [change.expected for change in changes],
        "k": [change.k for change in changes],
        "after": [change.after for change in changes],
        "ratings": [after[player].rating for player in range(PLAYERS)],
        "games": [after[player].games for player in range(PLAYERS)],
    }


@given(start_states, histories, systems)
def test_the_compiled_form_has_the_same_digits(states, batches, elo):
    pytest.importorskip("numba")
    pure = rate_by_columns(states, batches, elo)
    assert as_lists(rate_by_columns(states, batches, elo, compiled=True)) == as_lists(pure)
