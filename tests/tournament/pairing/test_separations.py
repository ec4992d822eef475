"""Separations: who is meant, and how preferences give way without ever blocking."""

from itertools import combinations

import pytest
from hypothesis import given, settings
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
    """A letter a player is the club; `.` is none."""
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
def test_who_is_meant(separation: Separation, pairs: set[Pair]) -> None:
    assert separated_pairs([separation], clubs("aab.b"), 3) == (frozenset(pairs), ())


def test_a_club_is_the_same_in_any_case() -> None:
    assert separated_pairs([Separation(by=By.CLUB)], clubs("aA"), 1) == (frozenset({(1, 2)}), ())


def test_rules_are_one_set_and_wishes_stand_in_levels() -> None:
    one, other = (Separation(by=By.PLAYERS, players=frozenset(p)) for p in ({1, 2}, {3, 4}))
    wish = Separation(by=By.CLUB, is_preference=True)
    named = Separation(by=By.PLAYERS, players=frozenset({1, 4}), is_preference=True)
    assert separated_pairs([one, wish, other, named], clubs("aab.b"), 1) == (
        frozenset({(1, 2), (3, 4)}),
        (frozenset({(1, 2), (3, 5)}), frozenset({(1, 4)})),
    )


def test_more_pairs_than_anybody_can_mean_are_refused() -> None:
    with pytest.raises(PairingRequestError, match="more than 250000 pairs"):
        separated_pairs([Separation(by=By.CLUB)], clubs("a" * 1000), 1)


def asked(
    table: Crosstable, *preferences: set[Pair], rules: frozenset[Pair] = frozenset()
) -> PairingRequest:
    return PairingRequest(
        crosstable=table,
        round=1,
        forbidden=rules,
        preferences=tuple(frozenset(pairs) for pairs in preferences),
    )


@pytest.mark.parametrize("code", SWISS)
def test_a_wish_is_kept_where_it_can_be(code: str) -> None:
    request = asked(clubs("abab"), {(1, 2), (1, 3), (3, 4), (2, 4)})
    found = PAIRING_SYSTEMS[code].pair(request)
    assert {frozenset(pair) for pair in found.pairs} == {frozenset({1, 4}), frozenset({2, 3})}
    assert FindingCode.PREFERENCE_GIVEN_UP not in {note.code for note in found.findings}


@pytest.mark.parametrize("code", SWISS)
def test_a_wish_never_blocks(code: str) -> None:
    everybody = set(combinations(range(1, 7), 2))
    found = PAIRING_SYSTEMS[code].pair(asked(clubs("aaaaaa"), everybody))
    assert len(found.pairs) == 3
    given_up = [note for note in found.findings if note.code is FindingCode.PREFERENCE_GIVEN_UP]
    assert [note.players for note in given_up] == list(found.pairs)


@pytest.mark.parametrize("code", SWISS)
def test_a_large_club_meets_itself_at_its_end_of_the_list_only(code: str) -> None:
    """Six of eight are of one club: two must meet two, and it is those with the last numbers."""
    table = clubs("aaaabbaa")
    club = [1, 2, 3, 4, 7, 8]
    found = PAIRING_SYSTEMS[code].pair(asked(table, set(combinations(club, 2))))
    inside = {frozenset(pair) for pair in found.pairs if set(pair) <= set(club)}
    assert len(inside) == 2
    assert set().union(*inside) == {3, 4, 7, 8}


def test_the_last_level_gives_way_first() -> None:
    """1 may meet 2 against one wish, 3 against the other, 4 against a rule."""
    table = clubs("....")
    rules = frozenset({(1, 4), (2, 3)})
    one, other = {(1, 2)}, {(1, 3)}
    pair = with_preferences(pair_monrad)
    assert {frozenset(p) for p in pair(asked(table, one, other, rules=rules)).pairs} == {
        frozenset({1, 3}),
        frozenset({2, 4}),
    }
    assert {frozenset(p) for p in pair(asked(table, other, one, rules=rules)).pairs} == {
        frozenset({1, 2}),
        frozenset({3, 4}),
    }


def test_what_lies_below_a_level_that_gave_way_is_kept_again() -> None:
    """The first wish cannot be kept at all; the second can, whatever becomes of the first."""
    everybody = set(combinations(range(1, 5), 2))
    found = with_preferences(pair_monrad)(asked(clubs("...."), everybody, {(1, 2)}))
    assert {1, 2} not in [set(pair) for pair in found.pairs]


def test_a_rule_blocks_whatever_is_wished() -> None:
    rules = frozenset({(1, 2), (1, 3), (1, 4)})
    with pytest.raises(NoLegalPairing) as blocked:
        with_preferences(pair_monrad)(asked(clubs("...."), {(2, 3)}, rules=rules))
    assert 1 in blocked.value.players


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(SWISS))
def test_wishes_change_nothing_about_whether_there_is_a_pairing(
    data: st.DataObject, code: str
) -> None:
    players = data.draw(st.integers(2, 9))
    pairs = st.sets(st.sampled_from(list(combinations(range(1, players + 1), 2))), max_size=12)
    rules, one, other = (data.draw(pairs) for _ in range(3))
    table = clubs("." * players)
    system = PAIRING_SYSTEMS[code].pair
    try:
        system(asked(table, rules=frozenset(rules)))
    except NoLegalPairing:
        with pytest.raises(NoLegalPairing):
            system(asked(table, one, other, rules=frozenset(rules)))
        return
    found = system(asked(table, one, other, rules=frozenset(rules)))
    seated = {frozenset(pair) for pair in found.pairs}
    assert not seated & {frozenset(pair) for pair in rules}
    try:
        system(asked(table, rules=frozenset(rules | one)))
    except NoLegalPairing:
        return
    assert not seated & {frozenset(pair) for pair in one}
