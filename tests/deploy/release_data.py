"""`make release-data`: write the backup of this version that the tests of later versions upgrade.

The service plays the events of the demo, and then what `CALLS` has: data of all kinds.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import httpx

from deploy import __version__
from tests.deploy.service import new_service
from tests.processes import ROOT, eventually

DATA: Final = Path(__file__).parent / "data"
"""Backups by version; one is final when its version is released."""

SET_UP: Final = {
    "name": "Spring Open",
    "starts_on": "2026-05-01",
    "ends_on": "2026-05-03",
    "ruleset": "star-star",
    "board_size": "4",
    "system": "monrad",
}
OWN: Final = "tournaments/spring-open"
TABLE: Final = {"first_move": 40, "first_stone": 120, "further_stone": 90, "point": 8}
CALLS: Final[tuple[tuple[str, str, Any], ...]] = (
    ("POST", "tokens", {"name": "laptop", "scopes": ["tournament:read"]}),
    ("POST", "players", {"name": "Zoë Ωmega", "seed_rating": 1700, "club": "North"}),
    ("POST", "players", {"name": "Zoë Ωmega", "country": "POR"}),
    (
        *("POST", "handicap-tables"),
        {
            "pool": "star",
            "reason": "a test",
            "rows": [{"ruleset": "star-star", "board_size": "10", **TABLE}],
        },
    ),
    ("POST", "tournaments", SET_UP | {"rounds": 2, "pool": "star"}),
    ("PATCH", OWN, {"prizes": [{"name": "all", "amounts": [100, 50]}]}),
    ("POST", f"{OWN}/roles", {"email": "a@example.org", "role": "director"}),
    (
        "POST",
        "webhooks",
        {"tournament_slug": "spring-open", "receiver_url": "https://hooks.example.org/"},
    ),
    ("POST", f"{OWN}/open", {}),
    *(("POST", f"{OWN}/entries", {"player_id": number}) for number in (1, 2, 3, 4)),
    ("POST", f"{OWN}/entries/apply", {"name": "Hal"}),
    ("POST", f"{OWN}/application-link", {}),
    ("POST", f"{OWN}/start", {}),
    ("POST", f"{OWN}/links", {}),
    ("POST", f"{OWN}/rounds/1/pair", {}),
    ("POST", f"{OWN}/rounds/1/publish", {}),
    ("POST", "pools/star/analyses", {"kind": "calibration"}),
    ("POST", "pools/star/lists", {}),
)
CORRECTION: Final = {"reason": "the slip was misread"}


def main() -> None:
    """Write it to a new file: the backup of a released version is final."""
    path = DATA / f"{__version__}.backup"
    argparse.ArgumentParser(description=__doc__).parse_args()
    if "dev" in __version__:
        sys.exit(f"{__version__} is no release.")
    if path.exists():
        sys.exit(f"{path} exists already: a released version keeps its backup.")
    with new_service() as service:
        variables = os.environ | service.environment
        subprocess.run([sys.executable, "-m", "deploy.demo"], env=variables, cwd=ROOT, check=True)
        headers = {"Authorization": f"Bearer {service.token}"}
        with httpx.Client(
            base_url=f"{service.address}/api/v1/", headers=headers, trust_env=False, timeout=60
        ) as http:
            for method, address, body in CALLS:
                answered(http.request(method, address, json=body))
            correct(http)
            eventually(lambda: http.get("pools/star/analyses").json()["results"][0]["state"])
        DATA.mkdir(exist_ok=True)
        command = [sys.executable, "manage.py", "backup", str(path)]
        subprocess.run(command, env=variables, cwd=ROOT, check=True)


def correct(http: httpx.Client) -> None:
    """Correct a result of a final event."""
    event = "tournaments/lantern-masters"
    game = http.get(f"{event}/rounds/1/pairings").json()["rows"][0]["game_id"]
    body = {**CORRECTION, "changes": [{"game_id": game, "result": "0-1f"}]}
    shown = answered(http.post(f"{event}/corrections?dry_run=1", json=body)).json()
    answered(http.post(f"{event}/corrections", json=body | {"digest": shown["digest"]}))


def answered(response: httpx.Response) -> httpx.Response:
    """Return a response that is no problem."""
    assert response.is_success, (response.request.method, response.url, response.text)
    return response


if __name__ == "__main__":
    main()
