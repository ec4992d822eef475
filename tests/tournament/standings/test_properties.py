"""Properties of the standings of any event."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.standings.events import round_robin, swiss
from tournament.standings.crosstable import ABSENT, Competitor, Crosstable, Kind, RoundResult
from tournament.standings.table import rank
from tournament.standings.tiebreaks import TIEBREAKS, parse_tiebreak

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
