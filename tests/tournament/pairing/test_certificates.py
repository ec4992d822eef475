"""Certificates: genuine ones are verified, changed ones have faults, other texts are rejected."""

import json
from dataclasses import fields, replace
from functools import partial

import pytest

from tests.tournament.pairing.events import POSITIONS, position
from tournament.pairing.certificates import (
    CertificateError,
    RoundCertificate,
    canonical_input,
    certify,
    digest,
)
from tournament.pairing.systems import PAIRING_SYSTEMS

DUTCH = PAIRING_SYSTEMS["dutch"].pair


def with_digest(made: RoundCertificate) -> RoundCertificate:
    return replace(made, input_digest=made.digest_input())


def certificate(name: str) -> RoundCertificate:
    request = position(name)
    return certify(request, DUTCH(request), system="dutch")


@pytest.mark.parametrize("name", sorted(path.stem for path in POSITIONS.glob("*.trf"))[::16])
def test_a_genuine_certificate_can_be_read_and_verified(name: str) -> None:
    read = RoundCertificate.parse(str(certificate(name)))
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
    without = with_digest(replace(made, input=unrated))
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
    again = RoundCertificate.parse(str(made)).request()
    assert (again.codes, again.seed, again.preferences) == (request.codes, 7, request.preferences)
    assert (again.exempt, again.exempt_byes) == (request.exempt, request.exempt_byes)


UNDIGESTED = "the input and the settings do not have their digest"
CHANGES: dict[str, object] = {
    "system": "dutch-baku",
    "edition": "FIDE Handbook C.04.3 of 2017",
    "engine": "other 9",
    "round": 3,
    "seed": 5,
    "codes": ["PTS", "BH"],
    "options": {"cycles": 2},
    "preferences": [[[1, 2]]],
    "exempt": [[1, 3]],
    "exempt_byes": [21],
    "balance_seats": False,
    "input": "001    1\nXXR 3\n",
    "input_digest": digest("other"),
    "output": "1\n1 2\n",
    "output_digest": digest("other"),
}


@pytest.mark.parametrize("name", [field.name for field in fields(RoundCertificate)])
def test_a_change_of_any_field_is_detected(name: str) -> None:
    content = json.loads(str(certificate("008"))) | {name: CHANGES[name]}
    is_output = name.startswith("output")
    fault = "the output does not have its digest" if is_output else UNDIGESTED
    assert fault in RoundCertificate.parse(json.dumps(content)).find_faults()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"engine": "other 9"}, "other 9 paired the round; this is perihelion 1"),
        ({"system": "lottery"}, "there is no pairing system 'lottery'"),
        (
            {"edition": "C.04.3 of 2017"},
            f"the edition is 'C.04.3 of 2017'; dutch pairs by {PAIRING_SYSTEMS['dutch'].source!r}",
        ),
        ({"round": 3}, "the input cannot be paired: the input is that of round 9"),
        (
            {"output": "1\n1 2\n", "output_digest": digest("1\n1 2\n")},
            "the input leads to another pairing",
        ),
        (
            {"input": "001\n"},
            "the input cannot be paired: line 1, column 5: a player without a pairing number; "
            "expected a number from 1",
        ),
    ],
)
def test_a_changed_certificate_with_its_digest_has_faults(
    changes: dict[str, object], fault: str
) -> None:
    content = json.loads(str(certificate("008"))) | changes
    changed = with_digest(RoundCertificate.parse(json.dumps(content)))
    assert changed.find_faults() == (fault,)


def test_text_that_utf8_cannot_hold_is_a_fault() -> None:
    content = json.loads(str(certificate("008"))) | {"output": "\ud800"}
    assert RoundCertificate.parse(json.dumps(content)).find_faults()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (None, "not JSON"),
        ([], "a certificate has the keys"),
        ({"more": 1}, "a certificate has the keys system, edition"),
        ({"round": "9"}, "round cannot be '9'"),
        ({"balance_seats": 1}, "balance_seats cannot be '1'"),
        ({"input": 5}, "input cannot be '5'"),
        ({"options": {"cycles": 1.0}}, "an option is a whole number"),
        ({"preferences": [[1]]}, "preferences must be lists of pairs"),
        ({"exempt": [[1, 2, 3]]}, "exempt a list"),
        ({"exempt_byes": ["x"]}, "exempt_byes a list of numbers"),
        ({"exempt_byes": [1.5]}, "exempt_byes a list of numbers"),
        ({"exempt": [["1", "2"]]}, "exempt a list"),
        ({"codes": [5]}, "codes a list of texts"),
    ],
)
def test_other_texts_are_rejected(changes: object, message: str) -> None:
    text = json.dumps(changes) if changes is not None else "{"
    if isinstance(changes, dict):
        text = json.dumps(json.loads(str(certificate("008"))) | changes)
    with pytest.raises(CertificateError, match=message):
        RoundCertificate.parse(text)
