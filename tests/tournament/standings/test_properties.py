"""Properties of the standings of any event."""

from dataclasses import replace
from itertools import pairwise, product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.standings.events import round_robin, swiss
from tournament.standings.crosstable import (
    ABSENT,
    PLAYED,
    Competitor,
    Crosstable,
    Kind,
    RoundResult,
    in_order,
)
from tournament.standings.table import rank
from tournament.standings.tiebreaks import TIEBREAKS, ScoreTable, parse_tiebreak
from tournament.standings.tiebreaks.code import TiebreakCode

seeds = st.integers(0, 10**6)
CODES = "PTS,BH/C1,DE,FB/M1,SB,AOB,PTP,WIN,KS,STD"
CODES_ROUND_ROBIN = "PTS,DE,SB/C1,KS,DE,TPR"


def any_event(seed: int) -> tuple[Crosstable, str]:
    return (round_robin(seed), CODES_ROUND_ROBIN) if seed % 3 == 0 else (swiss(seed), CODES)


@given(seeds)
def test_a_player_without_games_changes_no_other_values(seed: int) -> None:
    event, codes = any_event(seed)
    # DE is the place in a tied group, which the newcomer joins.
    codes = codes.replace("DE,", "")
    newcomer = Competitor(number=900, rating=1500)
    wider = replace(event, players=(*event.players, newcomer))
    values = {row.number: dict(row.values) for row in rank(wider, codes)}
    del values[900]
    assert values == {row.number: dict(row.values) for row in rank(event, codes)}


@given(seeds)
def test_a_bye_announced_for_the_next_round_changes_nothing(seed: int) -> None:
    event, codes = any_event(seed)
    random = Random(seed)
    announced = [(), (RoundResult(Kind.HALF_BYE),), (ABSENT, RoundResult(Kind.FULL_BYE))]
    players = tuple(
        replace(player, results=player.results[: event.completed] + random.choice(announced))
        for player in event.players
    )
    unfinished = replace(event, rounds=event.completed + 2)
    wider = replace(unfinished, players=players)
    assert [(row.rank, row.number, dict(row.values)) for row in rank(wider, codes)] == [
        (row.rank, row.number, dict(row.values)) for row in rank(unfinished, codes)
    ]


@given(seeds)
def test_only_equal_rows_share_a_rank(seed: int) -> None:
    event, codes = any_event(seed)
    rows = rank(event, codes)
    for index, (before, row) in enumerate(pairwise(rows), start=2):
        is_equal = before.values == row.values
        assert row.rank == (before.rank if is_equal else index)
        assert not is_equal or before.number < row.number


@given(seeds)
def test_renumbering_players_does_not_change_their_ranks(seed: int) -> None:
    event, codes = any_event(seed)
    numbers = [player.number for player in event.players]
    shuffled = numbers.copy()
    Random(seed).shuffle(shuffled)
    names = dict(zip(numbers, shuffled, strict=True))
    renamed = replace(
        event,
        players=in_order(
            replace(
                player,
                number=names[player.number],
                results=tuple(
                    replace(result, opponent=result.opponent and names[result.opponent])
                    for result in player.results
                ),
            )
            for player in event.players
        ),
    )
    places = {row.number: row.rank for row in rank(renamed, codes)}
    assert places == {names[row.number]: row.rank for row in rank(event, codes)}


@given(seeds, st.data())
def test_a_place_is_given_if_no_missing_game_can_change_it(seed: int, data: st.DataObject) -> None:
    """Check article 6.3 with all possible results of all missing games."""
    event = swiss(seed)
    numbers = sorted(player.number for player in event.players)
    group = data.draw(st.lists(st.sampled_from(numbers), min_size=2, max_size=4, unique=True))
    table = ScoreTable(event)
    values = TIEBREAKS["DE"].compute(table, group, TiebreakCode.parse("DE"))
    leaders = [number for number in group if values[number].number == 1]

    totals = dict.fromkeys(group, 0)
    met = set()
    for number in group:
        for index, result in enumerate(table.results[number]):
            if result.kind in PLAYED and result.opponent in totals:
                totals[number] += table.round_points[number][index]
                met.add(frozenset({number, result.opponent}))
    missing = [
        (player, other)
        for player in group
        for other in group
        if player < other and frozenset({player, other}) not in met
    ]
    points = event.points
    outcomes = [(points.win, points.loss), (points.draw, points.draw), (points.loss, points.win)]
    winners = set(group)
    for results in product(outcomes, repeat=len(missing)):
        ends = totals.copy()
        for (player, other), (own, opposite) in zip(missing, results, strict=True):
            ends[player] += own
            ends[other] += opposite
        best = max(ends.values())
        winners &= {number for number in group if ends[number] == best}
        if list(ends.values()).count(best) > 1:
            winners = set()
    if missing:
        assert leaders == (sorted(winners) or leaders)
        assert bool(winners) == (len(leaders) == 1)
    else:
        best = max(totals.values())
        assert set(leaders) <= {number for number in group if totals[number] == best}


@given(
    st.sampled_from(sorted(TIEBREAKS)),
    st.sets(st.sampled_from(["C2", "M1", "L+3", "P", "F", "R"]), max_size=3),
)
def test_a_code_is_parsed_from_its_string(name: str, modifiers: set[str]) -> None:
    letters = {modifier[0] for modifier in modifiers}
    if letters - set(TIEBREAKS[name].modifiers) or {"C", "M"} <= letters:
        return
    code = parse_tiebreak("/".join([name.lower(), *sorted(modifiers)]))
    assert code.modifiers == letters
    assert parse_tiebreak(str(code)) == code
