"""All phases of schemathesis against the running service: no 5xx, nothing that is not described.

An organiser's requests follow from each other here, and what they do stays. Those of everybody to
one object of each kind, which are undone, are in tests/api/test_schemathesis.py.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.deploy.service import Service, new_service
from tests.events import SET_UP

pytestmark = [pytest.mark.long, pytest.mark.processes]
SCHEMATHESIS: Final = Path(sys.executable).parent / "schemathesis"
MINUTES: Final = 12
LIMITS: Final = (
    "RATE_LIMIT_ANONYMOUS", "RATE_LIMIT_ACCOUNT", "RATE_LIMIT_TOKEN", "QUOTA_EVENTS_PER_DAY",
    "QUOTA_TOKENS", "QUOTA_WEBHOOKS", "QUOTA_WAITING_JOBS",
)  # fmt: skip
"""Those that one program with thousands of requests would reach, so that most would be refused."""
ENDLESS: Final = "/stream$"
OWN_END: Final = "revoke_token"
"""An operation that could revoke the token of the requests."""
CHECKS: Final = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "declared_codes",
)  # fmt: skip
PARAMETERS: Final = """
[parameters]
{values}

[[operations]]
include-path-regex = "rulesets/"
parameters = {{ "path.code" = "star-star" }}

[[operations]]
include-path-regex = "problems/"
parameters = {{ "path.code" = "stale" }}
"""


@pytest.fixture(scope="module")
def service(database: str) -> Iterator[Service]:
    """The running service without limits of requests."""
    with new_service(DATABASE_URL=database, **dict.fromkeys(LIMITS, "1000000")) as service:
        yield service


@pytest.fixture
def organiser(service: Service) -> Iterator["Organiser"]:
    with httpx.Client(base_url=f"{service.address}/api/v1/", timeout=60) as client:
        yield Organiser(client, service.token)


class Organiser:
    """The organiser of the first start, with a token that needs no preconditions."""

    def __init__(self, client: httpx.Client, token: str) -> None:
        self.client = client
        self.use(token)
        scopes = self.get("me")["scopes"]
        self.use(self.post("tokens", {"scopes": scopes, "preconditions": "optional"})["token"])

    def use(self, token: str) -> None:
        self.token = token
        self.client.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str) -> Any:
        return self.client.get(path).raise_for_status().json()

    def post(self, path: str, body: Any = None) -> Any:
        return self.client.post(path, json=body).raise_for_status().json()


def make_objects(organiser: Organiser) -> dict[str, int | str]:
    """Create an event in its first round with what hangs on it; the values of parameters of paths.

    Each has a value for which there is an object at first; most requests would find none.
    """
    organiser.post("tournaments", SET_UP | {"slug": "spring", "rounds": 3, "pool": "star"})
    event = "tournaments/spring"
    for name in "ABCDEF":
        player = organiser.post("players", {"name": f"Player {name}"})
        organiser.post(f"{event}/entries", {"player_id": player["id"]})
    hook = {"tournament_slug": "spring", "receiver_url": "https://hooks.example.org/x"}
    webhook = organiser.post("webhooks", hook)["id"]
    delivery = organiser.post(f"webhooks/{webhook}/ping")["id"]
    invited = {"email": "guest@example.org", "role": "scorer"}
    invitation = organiser.post(f"{event}/roles", invited)["id"]
    for step in ("open", "links", "start", "rounds/1/pair", "rounds/1/publish"):
        organiser.post(f"{event}/{step}", {} if step == "links" else None)
    entries = organiser.get(f"{event}/entries")["results"]
    bye = {"entry_id": entries[0]["id"], "round": 3, "kind": "half_bye"}
    report = {"player": entries[1]["player"]["id"], "reason": "a smear"}
    return {
        "slug": "spring",
        "number": 1,
        "version": 1,
        "code": "star",
        "entry_id": entries[0]["id"],
        "bye_id": organiser.post(f"{event}/byes", bye)["id"],
        "game_id": organiser.get(f"{event}/rounds/1/pairings")["rows"][0]["game_id"],
        "player_id": entries[1]["player"]["id"],
        "opponent_id": entries[2]["player"]["id"],
        "claim_id": organiser.post("claims", {"player_id": entries[3]["player"]["id"]})["id"],
        "report_id": organiser.post("name-reports", report)["id"],
        "batch_id": organiser.get("pools/star/batches")["results"][0]["id"],
        "webhook_id": webhook,
        "delivery_id": delivery,
        "invitation_id": invitation,
    }


def test_all_phases(service: Service, organiser: Organiser, tmp_path: Path) -> None:
    values = make_objects(organiser)
    lines = "\n".join(f'"path.{name}" = {json.dumps(value)}' for name, value in values.items())
    config = tmp_path / "schemathesis.toml"
    config.write_text(PARAMETERS.format(values=lines))

    done = subprocess.run(
        [
            SCHEMATHESIS, "--config-file", config, "run", f"{service.address}/api/v1/schema",
            "--phases", "examples,coverage,fuzzing,stateful", "--max-time", str(MINUTES * 60),
            "--max-examples", "20", "--seed", "1", "--no-shrink", "--continue-on-failure",
            "--checks", ",".join(CHECKS), "--exclude-path-regex", ENDLESS,
            "--exclude-operation-id", OWN_END,
            "--header", f"Authorization: Bearer {organiser.token}", "--request-timeout", "60",
        ],
        cwd=tmp_path,
        env=os.environ | {"SCHEMATHESIS_HOOKS": str(Path(__file__).with_name("fuzz_checks.py"))},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout.partition("= WARNINGS =")[0][-20_000:] + done.stderr
    assert service.running
    assert organiser.get("me")["scopes"]  # the requests had a valid token until the end
