"""`/officers/new-pool`: staff create a pool."""

from typing import Any

import pytest
from django.test import Client

from games.models import JournalLine
from ratings.models import Pool
from tests.people import make_person

pytestmark = pytest.mark.django_db

PATH = "/officers/new-pool"
FORM = {"action": "create", "code": "hex", "name": "Hex", "preset": "decay", "policy": "open"}


@pytest.fixture
def staff(client: Client, db: None) -> Client:
    client.force_login(make_person("Root", is_staff=True).account)
    return client


def test_staff_create_a_pool_with_all_its_settings(staff: Client) -> None:
    assert f'href="{PATH}"' in staff.get("/pools").content.decode()
    fields = staff.get(PATH).context["fields"]
    assert (fields["policy"].value, fields["least_expected"].value) == ("approved", 5)
    sent = FORM | {
        "rated_games[]": ["", "hex", "twixt"],
        "rated_rulesets.hex": "11 13",
        "rated_rulesets.twixt": "",
        "least_expected": "0",
        "time_classes[]": ["rapid", "blitz"],
        "casual_rulesets[]": ["hex"],
        "parameters.k0": "60",
        "parameters.start": "1200",
    }
    created = staff.post(PATH, sent)

    assert (created.status_code, created["Location"]) == (303, "/officers/pools/hex")
    pool = Pool.objects.get(code="hex")
    assert {name: getattr(pool, name) for name in ("name", "preset", "policy")} == {
        "name": "Hex",
        "preset": "decay",
        "policy": "open",
    }
    assert pool.rated_games == {"hex": ["11", "13"], "twixt": []}
    assert (pool.time_classes, pool.casual_games) == (["blitz", "rapid"], ["hex"])
    assert (pool.least_expected, pool.parameters) == (0, {"k0": 60, "start": 1200})
    assert JournalLine.objects.get(stream="pool/hex").kind == "pool.created"


@pytest.mark.parametrize(
    ("wrong", "status", "member"),
    [
        ({"code": "star"}, 422, "code"),
        ({"rated_games[]": ["chess"]}, 422, "rated_rulesets.chess"),
        ({"casual_rulesets[]": ["chess"]}, 422, "casual_rulesets"),
        ({"parameters.k0": "x"}, 422, "parameters.k0"),
        ({"parameters.kmin": "500"}, 422, "parameters.kmin"),
    ],
)
def test_what_is_wrong_is_named_and_what_was_typed_stays(
    staff: Client, wrong: dict[str, Any], status: int, member: str
) -> None:
    page = staff.post(PATH, FORM | {"parameters.start": "1300"} | wrong)

    assert page.status_code == status
    assert member in page.context["form"].errors
    parameters = [(field.name, field.value) for field in page.context["parameters"]]
    assert ("parameters.start", "1300") in parameters
    assert Pool.objects.count() == 1


def test_all_broken_rules_of_a_pool_are_shown_at_once(staff: Client) -> None:
    wrong = {"casual_rulesets[]": ["hex", "chess"], "rated_rulesets.hex": "10x",
             "parameters.k0": "0", "parameters.start": "-1"}  # fmt: skip
    page = staff.post(PATH, FORM | wrong)
    assert page.status_code == 422
    assert page.context["form"].errors.keys() == {
        "casual_rulesets", "rated_rulesets.hex", "parameters.k0", "parameters.start",
    }  # fmt: skip
    text = page.content.decode()
    assert '<a href="#field-parameters.k0">K of a new player</a>: ' in text
    assert '<a href="#field-rated_rulesets.hex">' in text
