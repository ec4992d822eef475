"""The order of the games of a file, and what must not depend on it."""

from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.batches import order_games, rate_batches
from ratings.systems.games_file import GAMES_FILE_COLUMNS, read_games
from ratings.systems.presets import PRESETS

names = st.sampled_from(["Ann", "Bo", "Cy", "Di", "Ål"])
rows = st.lists(
    st.tuples(
        st.sampled_from(["2026-01-31", "2026-02-01", "2025-12-31"]),
        st.sampled_from(["", "Cup", "Åsa Open", "Zet"]),
        names,
        names,
        st.sampled_from(["1", "0.5", "0"]),
    ).filter(lambda row: row[2] != row[3]),
    max_size=25,
)


def read(games):
    return read_games(enumerate([GAMES_FILE_COLUMNS, *games], start=1))


def batches_of(games, **options) -> list[list[int]]:
    """Return the places in the file of the games that are rated together."""
    read_once = read(games)
    places = {id(game): place for place, game in enumerate(read_once)}
    return [
        [places[id(game)] for batch in period for game in batch.games]
        for period in order_games(read_once, **options)
    ]


def expected_batches(games) -> list[list[int]]:
    """Do what the module states, with dictionaries."""
    batches = {}
    for place, (date, event, *_) in enumerate(games):
        batches.setdefault(event or place, []).append((date, event, place))
    keys = {key: (max(batch)[0], bool(batch[0][1]), batch[0][1]) for key, batch in batches.items()}
    return [[place for *_, place in batches[key]] for key in sorted(batches, key=keys.get)]


def ratings_of(games) -> dict[str, int]:
    states = {}
    for rated in rate_batches(order_games(read(games)), states, {}, PRESETS["fixed"]):
        assert len(list(rated.changes)) == 2 * len(rated.games)
    return {name: state.rating for name, state in states.items()}


@given(rows)
def test_batches_go_by_date_single_games_first_then_events_by_name(games):
    assert batches_of(games) == expected_batches(games)


@given(rows)
def test_every_game_can_be_a_batch_of_its_own(games):
    by_date = sorted(range(len(games)), key=lambda place: games[place][0])
    assert batches_of(games, by_game=True) == [[place] for place in by_date]


@given(rows)
def test_the_batches_of_a_month_are_one(games):
    months = {}
    for batch in expected_batches(games):
        month = max(games[place][0] for place in batch)[:7]
        months.setdefault(month, []).extend(batch)
    assert batches_of(games, by_month=True) == list(months.values())


@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_the_lines_of_events_does_not_matter(games, chance):
    events = [game for game in games if game[1]]
    assert ratings_of(chance.sample(events, len(events))) == ratings_of(events)
