"""Certificates: genuine ones are verified, changed ones have faults, other texts are rejected."""

import json
from dataclasses import replace
from functools import partial

import pytest

from tests.tournament.pairing.events import POSITIONS, position
from tournament.pairing.certificates import (
    Certificate,
    CertificateError,
    canonical_input,
    certify,
    digest,
)
from tournament.pairing.systems import PAIRING_SYSTEMS

DUTCH = PAIRING_SYSTEMS["dutch"].pair


def certificate(name: str) -> Certificate:
    request = position(name)
    return certify(request, DUTCH(request), system="dutch")


@pytest.mark.parametrize("name", sorted(path.stem for path in POSITIONS.glob("*.trf"))[::4])
def test_a_genuine_certificate_can_be_read_and_verified(name: str) -> None:
    read = Certificate.parse(str(certificate(name)))
    assert read == certificate(name)
    assert read.find_faults() == ()
    assert read.output == (POSITIONS / f"{name}.pairs").read_text()


def test_names_ratings_and_later_rounds_are_not_part_of_the_input() -> None:
    write_input = partial(canonical_input, with_ratings=False)
    request = position("008")
    table = request.crosstable
    renamed = replace(
        table,
        players=tuple(replace(p, name="Somebody", rating=1) for p in table.players),
    )
    assert write_input(replace(request, crosstable=renamed)) == write_input(request)
    earlier = replace(request, round=5, absent=frozenset())
    cut = replace(earlier, crosstable=table.after(4))
    assert write_input(earlier) == write_input(cut)


def test_the_input_contains_ratings_if_the_system_uses_them() -> None:
    request = position("008")
    players = tuple(replace(p, rating=1000 + 37 * p.number) for p in request.crosstable.players)
    rated = replace(request, crosstable=replace(request.crosstable, players=players))
    made = certify(rated, PAIRING_SYSTEMS["mcmahon"].pair(rated), system="mcmahon")
    assert made.find_faults() == ()
    unrated = canonical_input(rated, with_ratings=False)
    without = replace(made, input=unrated, input_digest=digest(unrated))
    assert without.find_faults() == ("the input leads to another pairing",)


def test_a_certificate_contains_the_settings_of_the_request() -> None:
    request = replace(
        position("024"),
        codes=("PTS", "BH"),
        seed=7,
        preferences=(frozenset({(3, 1), (2, 1)}),),
        exempt=frozenset({(1, 2)}),
        exempt_byes=frozenset({3}),
    )
    made = certify(request, DUTCH(request), system="monrad")
    again = Certificate.parse(str(made)).request()
    assert (again.codes, again.seed, again.preferences) == (request.codes, 7, request.preferences)
    assert (again.exempt, again.exempt_byes) == (request.exempt, request.exempt_byes)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"output": "1\n1 2\n"}, "the output does not have its digest"),
        ({"input": "001    1\nXXR 3\n"}, "the input does not have its digest"),
        ({"engine": "other 9"}, "other 9 paired the round; this is perihelion 1"),
        ({"round": 3}, "the input cannot be paired: the input is that of round 9"),
        (
            {"output": "1\n1 2\n", "output_digest": digest("1\n1 2\n")},
            "the input leads to another pairing",
        ),
        (
            {"input": "001\n", "input_digest": digest("001\n")},
            "the input cannot be paired: line 1, column 5: a player without a pairing number; "
            "expected a number from 1",
        ),
    ],
)
def test_a_changed_certificate_has_faults(changes: dict[str, object], fault: str) -> None:
    content = json.loads(str(certificate("008"))) | changes
    assert Certificate.parse(json.dumps(content)).find_faults() == (fault,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (None, "not JSON"),
        ([], "a certificate has the keys"),
        ({"more": 1}, "a certificate has the keys system, edition"),
        ({"round": "9"}, "round cannot be '9'"),
        ({"balance_seats": 1}, "balance_seats cannot be '1'"),
        ({"input": 5}, "input cannot be '5'"),
        ({"preferences": [[1]]}, "preferences must be lists of pairs"),
        ({"exempt": [[1, 2, 3]]}, "exempt a list"),
        ({"exempt_byes": ["x"]}, "exempt_byes a list of numbers"),
    ],
)
def test_other_texts_are_rejected(changes: object, message: str) -> None:
    text = json.dumps(changes) if changes is not None else "{"
    if isinstance(changes, dict):
        text = json.dumps(json.loads(str(certificate("008"))) | changes)
    with pytest.raises(CertificateError, match=message):
        Certificate.parse(text)
