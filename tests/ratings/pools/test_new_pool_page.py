"""`/officers/new-pool`: staff create a pool."""

from typing import Any

import pytest
from django.test import Client

from games.models import JournalLine
from ratings.models import Pool
from tests.people import make_person

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PATH = "/officers/new-pool"
FORM = {
    "action": "create", "code": "hex", "name": "Hex", "preset": "decay", "policy": "open",
    "rated_games[]": ["", "hex"],
}  # fmt: skip


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
    ("wrong", "members"),
    [
        ({"code": "star"}, {"code"}),
        ({"rated_games[]": [""]}, {"rated_rulesets"}),
        ({"rated_games[]": ["chess"]}, {"rated_rulesets.chess"}),
        ({"parameters.k0": "x"}, {"parameters.k0"}),
        (
            {"casual_rulesets[]": ["chess"], "rated_rulesets.hex": "10x", "parameters.k0": "0"},
            {"casual_rulesets", "rated_rulesets.hex", "parameters.k0"},
        ),
    ],
)
def test_what_is_wrong_is_named_and_what_was_typed_stays(
    staff: Client, wrong: dict[str, Any], members: set[str]
) -> None:
    page = staff.post(PATH, FORM | {"parameters.start": "1300"} | wrong)

    assert page.status_code == 422
    assert page.context["form"].errors.keys() == members
    parameters = [(field.name, field.value) for field in page.context["parameters"]]
    assert ("parameters.start", "1300") in parameters
    assert Pool.objects.count() == 1
