"""`/tournaments/{slug}/rounds/{n}/certificate`, and the publication of the draw seed."""

import json
import subprocess
from pathlib import Path

import pytest

from games.models import JournalLine
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tests.processes import run_python
from tournament.models import Certificate
from tournament.pairing import certificates as pure
from tournament.pairing.systems import PAIRING_SYSTEMS

pytestmark = pytest.mark.django_db


def make_running(organiser: Person, count: int = 6, **fields: object) -> Event:
    event = make_event(organiser, system="dutch", **fields)
    event.enter(*make_players(count))
    return event.step("open", "start")


@pytest.mark.parametrize("system", ["dutch", "mcmahon", "round-robin", "groups-knockout"])
def test_the_certificate_of_every_system_is_genuine(organiser: Person, system: str) -> None:
    options = {"groups-knockout": {"groups": 2}}.get(system, {})
    page = PAIRING_SYSTEMS[system]
    rounds = page.rounds_needed(7, 3, options) if page.rounds_needed else 3
    event = make_event(organiser, rounds=rounds, system_options=options, system=system)
    event.enter(*make_players(7))
    event.step("open", "start")
    for number in (1, 2):
        event.play(number, result="11-10" if number == 1 else "10-11")

        text = organiser.get(f"{event.path}/rounds/{number}/certificate").content.decode()

        certificate = pure.RoundCertificate.parse(text)
        assert (certificate.round, certificate.system) == (number, system)
        assert certificate.edition == page.source
        assert certificate.find_faults() == ()


def test_each_version_has_a_certificate_but_not_a_round_by_hand(organiser: Person) -> None:
    event = make_running(organiser)
    path = f"{event.path}/rounds/1"
    for _ in range(2):
        organiser.post(f"{path}/pair")
    versions = Certificate.objects.order_by("version").values_list("version", flat=True)
    assert list(versions) == [1, 2]

    entries = [entry.pk for entry in event.tournament.entries.order_by("pairing_number")]
    pairings = [{"first_id": entries[i], "second_id": entries[i + 1]} for i in (0, 2, 4)]
    organiser.put(f"{path}/pairings", {"reason": "a lesson", "pairings": pairings})

    problem_in(organiser.get(f"{event.path}/rounds/1/certificate"), 404, "no_certificate")
    assert Certificate.objects.count() == 2


def test_the_journal_contains_the_digests(organiser: Person) -> None:
    event = make_running(organiser)
    event.publish(1)
    line = JournalLine.objects.select_related("payload").get(kind="round.paired")
    certificate = organiser.get(f"{event.path}/rounds/1/certificate").json()
    assert [line.payload.body[key] for key in ("input", "output")] == [
        certificate["input_digest"],
        certificate["output_digest"],
    ]


def test_the_command_needs_no_database(organiser: Person, tmp_path: Path) -> None:
    event = make_running(organiser, count=7)
    event.play(1)
    event.publish(2)
    files = []
    for number in (1, 2):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_bytes(organiser.get(f"{event.path}/rounds/{number}/certificate").content)
    forged = json.loads(files[0].read_text())
    forged["output"] = forged["output"].replace("1 4", "4 1")
    (tmp_path / "forged.json").write_text(json.dumps(forged))

    def verify(*names: str) -> subprocess.CompletedProcess[str]:
        paths = [str(tmp_path / name) for name in names]
        variables = {"PATH": "/usr/bin", "DATABASE_URL": "postgresql://nobody@nowhere/none"}
        return run_python("manage.py", "verify_certificate", *paths, environment=variables)

    genuine = verify("1.json", "2.json")
    assert (genuine.returncode, genuine.stderr) == (0, "")
    assert genuine.stdout.splitlines() == [
        f"{files[0]}: round 1 is paired as certified",
        f"{files[1]}: round 2 is paired as certified",
    ]
    assert verify("forged.json").returncode == 1
