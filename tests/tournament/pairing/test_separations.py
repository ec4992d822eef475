"""Separations: their pairs, and how preferences give way."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.findings import FindingCode
from tournament.pairing.request import Pair, PairingRequest
from tournament.pairing.separations import By, Separation, separated_pairs, with_preferences
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.monrad import pair_monrad
from tournament.standings.crosstable import Competitor, Crosstable

SWISS = ["dutch", "monrad", "mcmahon"]


def clubs(picture: str, rounds: int = 5) -> Crosstable:
    """Return players with a club for each letter; `.` is no club."""
    return Crosstable(
        players=tuple(
            Competitor(number=n, club=letter.strip("."), federation=letter.strip(".").upper())
            for n, letter in enumerate(picture, start=1)
        ),
        rounds=rounds,
    )


@pytest.mark.parametrize(
    ("separation", "pairs"),
    [
        (Separation(by=By.CLUB), {(1, 2), (3, 5)}),
        (Separation(by=By.COUNTRY), {(1, 2), (3, 5)}),
        (Separation(by=By.PLAYERS, players=frozenset({5, 2, 4})), {(2, 4), (2, 5), (4, 5)}),
        (Separation(by=By.PLAYERS, players=frozenset({1, 77})), set()),
        (Separation(by=By.CLUB, last_round=2), set()),
        (Separation(by=By.CLUB, last_round=3), {(1, 2), (3, 5)}),
    ],
)
def test_the_pairs_of_a_separation(separation: Separation, pairs: set[Pair]) -> None:
    assert separated_pairs([separation], clubs("aab.b"), 3) == (frozenset(pairs), ())


def test_clubs_are_compared_without_case() -> None:
    assert separated_pairs([Separation(by=By.CLUB)], clubs("aA"), 1) == (frozenset({(1, 2)}), ())


def test_rules_are_one_set_and_preferences_have_levels() -> None:
    one, other = (Separation(by=By.PLAYERS, players=frozenset(p)) for p in ({1, 2}, {3, 4}))
    preference = Separation(by=By.CLUB, is_preference=True)
    named = Separation(by=By.PLAYERS, players=frozenset({1, 4}), is_preference=True)
    assert separated_pairs([one, preference, other, named], clubs("aab.b"), 1) == (
        frozenset({(1, 2), (3, 4)}),
        (frozenset({(1, 2), (3, 5)}), frozenset({(1, 4)})),
    )


def test_too_many_pairs_are_rejected() -> None:
    with pytest.raises(PairingRequestError, match="more than 250000 pairs"):
        separated_pairs([Separation(by=By.CLUB)], clubs("a" * 1000), 1)


def request_of(
    table: Crosstable, *preferences: set[Pair], rules: frozenset[Pair] = frozenset()
) -> PairingRequest:
    return PairingRequest(
        crosstable=table,
        round=1,
        forbidden=rules,
        preferences=tuple(frozenset(pairs) for pairs in preferences),
    )


@pytest.mark.parametrize("code", SWISS)
def test_a_preference_never_blocks(code: str) -> None:
    all_pairs = set(combinations(range(1, 7), 2))
    found = PAIRING_SYSTEMS[code].pair(request_of(clubs("aaaaaa"), all_pairs))
    assert len(found.pairs) == 3
    given_up = [f for f in found.findings if f.code is FindingCode.PREFERENCE_GIVEN_UP]
    assert [finding.players for finding in given_up] == list(found.pairs)


@pytest.mark.parametrize("code", SWISS)
def test_only_the_last_players_of_a_large_club_meet(code: str) -> None:
    """Six of eight players are of one club: two pairs must meet, those with the last numbers."""
    table = clubs("aaaabbaa")
    club = [1, 2, 3, 4, 7, 8]
    found = PAIRING_SYSTEMS[code].pair(request_of(table, set(combinations(club, 2))))
    within_club = {frozenset(pair) for pair in found.pairs if set(pair) <= set(club)}
    assert len(within_club) == 2
    assert set().union(*within_club) == {3, 4, 7, 8}


def test_the_last_level_gives_way_first() -> None:
    """1 against 2 breaks one preference, against 3 the other, against 4 a rule."""
    table = clubs("....")
    rules = frozenset({(1, 4), (2, 3)})
    one, other = {(1, 2)}, {(1, 3)}
    pair = with_preferences(pair_monrad)
    assert {frozenset(p) for p in pair(request_of(table, one, other, rules=rules)).pairs} == {
        frozenset({1, 3}),
        frozenset({2, 4}),
    }
    assert {frozenset(p) for p in pair(request_of(table, other, one, rules=rules)).pairs} == {
        frozenset({1, 2}),
        frozenset({3, 4}),
    }


def test_levels_below_one_that_gave_way_hold_again() -> None:
    """The first preference cannot hold at all; the second can, regardless of the first."""
    all_pairs = set(combinations(range(1, 5), 2))
    found = with_preferences(pair_monrad)(request_of(clubs("...."), all_pairs, {(1, 2)}))
    assert {1, 2} not in [set(pair) for pair in found.pairs]


@given(st.data(), st.sampled_from(SWISS))
def test_preferences_do_not_decide_whether_there_is_a_pairing(
    data: st.DataObject, code: str
) -> None:
    players = data.draw(st.integers(2, 9))
    pairs = st.sets(st.sampled_from(list(combinations(range(1, players + 1), 2))), max_size=12)
    rules, one, other = (data.draw(pairs) for _ in range(3))
    table = clubs("." * players)
    system = PAIRING_SYSTEMS[code].pair
    try:
        system(request_of(table, rules=frozenset(rules)))
    except NoLegalPairing:
        with pytest.raises(NoLegalPairing):
            system(request_of(table, one, other, rules=frozenset(rules)))
        return
    found = system(request_of(table, one, other, rules=frozenset(rules)))
    seated = {frozenset(pair) for pair in found.pairs}
    assert not seated & {frozenset(pair) for pair in rules}
    try:
        system(request_of(table, rules=frozenset(rules | one)))
    except NoLegalPairing:
        return
    assert not seated & {frozenset(pair) for pair in one}
