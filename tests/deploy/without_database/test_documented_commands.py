"""The commands in the documentation that need no service print what it says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyrage
import pytest

from tests.deploy.documentation import blocks, checkout, page, printed_by, section
from tests.processes import ROOT

pytestmark = pytest.mark.processes

HANDBOOK = ("back-up", "email", "proxy", "emergencies")
NEEDS_MORE = (" restore /", " up")
"""What a command contains that needs an installation of its own."""
LIBRARY = page("howto/library.md")
FILES = page("howto/files.md")
APPS = ("games", "ratings", "tournament", "deploy")


def test_the_lines_of_python_print_what_their_page_says() -> None:
    printed = subprocess.run(
        [sys.executable, "-c", blocks(LIBRARY, "python")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert printed == blocks(LIBRARY, "text")


def test_the_commands_without_a_server_print_what_their_page_says() -> None:
    with checkout() as folder:
        assert printed_by(blocks(FILES, "sh"), folder) == blocks(FILES, "text")


@pytest.mark.long
def test_the_commands_of_the_handbook_run(tmp_path: Path) -> None:
    """Run each command of manage.py on an installation with a finished event, without a broker."""
    lines = [
        line.partition(" #")[0].strip()
        for name in HANDBOOK
        for line in blocks(page(f"howto/{name}.md"), "sh").splitlines()
        if line.startswith(".venv/bin/python manage.py")
    ]
    commands = [
        line for line in dict.fromkeys(lines) if not any(word in line for word in NEEDS_MORE)
    ]
    assert len(commands) >= 13
    variables = {
        "STATE_DIR": str(tmp_path / "var"),
        "EMAIL_URL": "consolemail://",
        "DJANGO_SUPERUSER_PASSWORD": "correct horse battery",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }
    for name in ("backups", "safe"):
        (tmp_path / name).mkdir()
    with checkout() as folder:
        prepare = "umask 077; .venv/bin/python manage.py {} >/dev/null 2>&1"
        printed_by(prepare.format("migrate"), folder, **variables)
        first = "createsuperuser --noinput --email you@example.org"
        printed_by(prepare.format(first), folder, **variables)
        printed_by(prepare.format("load_samples"), folder, **variables)
        chains = printed_by(".venv/bin/python manage.py verify_journal", folder, **variables)
        heads = re.findall(r"^(\S+): (\d+) lines?, whole, head (\w+)$", chains, re.MULTILINE)
        assert len(heads) == 3
        (folder / "heads.txt").write_text("".join(f"{' '.join(head)}\n" for head in heads))
        key = pyrage.x25519.Identity.generate()
        (folder / "backup-key.txt").write_text(f"{key}\n")

        for command in commands:
            here = re.sub(r" /(backups|safe)/", rf" {tmp_path}/\1/", command)
            here = here.replace("age1...", str(key.to_public()))
            if " doctor" in command:  # it says that the broker is away
                assert "broker    the broker does not respond" in printed_by(
                    f"{here} || true", folder, **variables
                )
            else:
                printed_by(here, folder, **variables)


OF_THE_SYSTEM = ("apt-get", "systemctl", "useradd", "runuser", "make")
"""Programs of the installation that would change this machine; test_make.py has `make env`."""


@pytest.mark.long
def test_the_installation_with_systemd_is_typed(tmp_path: Path) -> None:
    """All of it, in a folder instead of `/`, up to a check with the settings that it writes."""
    install = page("howto/install.md")
    scripts = re.findall(r"^```sh\n(.*?)^```", section(install, "systemd"), re.M | re.S)
    wrapper = scripts.pop(1)
    for name in ("bin", "etc/redis", "etc/systemd/system", "srv"):
        (tmp_path / name).mkdir(parents=True)
    for name in OF_THE_SYSTEM:
        program = tmp_path / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>{tmp_path}/typed\n')
        program.chmod(0o755)
    (tmp_path / "bin" / "make").write_text(f'#!/bin/sh\nln -s {ROOT}/.venv "$2"\n')
    here = {"ADDRESS": str(ROOT), "COMMIT": "HEAD"}

    for script in scripts:
        line = re.sub(r"(?<![\w.])/(?=etc/|srv/)", f"{tmp_path}/", script)
        line = re.sub(r"\b(ADDRESS|COMMIT)\b", lambda found: here[found[0]], line)
        printed_by(f"set -eu; PATH={tmp_path}/bin:$PATH; {line}", tmp_path)

    redis = (tmp_path / "etc/redis/redis.conf").read_text()
    assert redis.split() == ["appendonly", "yes", "maxmemory-policy", "noeviction"]
    file = tmp_path / "etc/perihelion/settings"
    assert file.stat().st_mode & 0o777 == 0o600
    settings = dict(line.split("=", 1) for line in file.read_text().splitlines())
    state = {"PERIHELION_ENV": "production", "STATE_DIR": str(tmp_path / "var")}
    command = f"cd {tmp_path}/srv/perihelion; .venv/bin/python manage.py check --deploy"
    found = re.findall(r"security\.W\d+", printed_by(command, tmp_path, **settings, **state))
    table = re.findall(r"security\.W\d+", section(install, "Check it"))
    assert (sorted(found), len(found)) == (sorted(table), 3)
    assert "systemd-run" in wrapper
    units = list((tmp_path / "etc/systemd/system").glob("*.service"))
    for unit in units:
        unit.write_text(unit.read_text().replace("/srv/", f"{tmp_path}/srv/"))
    if analyze := shutil.which("systemd-analyze"):
        whole = " ".join(str(unit) for unit in units if "@." not in unit.name)
        assert printed_by(f"{analyze} verify --man=no {whole}", tmp_path) == ""
    typed = (tmp_path / "typed").read_text().splitlines()
    assert typed[0].startswith("apt-get install --yes git make python3-venv postgresql redis-")
    assert typed[-1] == "systemctl start perihelion-failed@perihelion-verify.service"
