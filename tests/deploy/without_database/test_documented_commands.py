"""The commands in the documentation that need no service print what it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.documentation import blocks, checkout, page, printed_by
from tests.processes import ROOT

pytestmark = pytest.mark.processes

HANDBOOK = ("back-up", "email", "proxy", "emergencies")
NEEDS_MORE = ("age1", " restore /", " up", "--identity")
"""What a command contains that needs a key, or an installation of its own."""
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
    assert len(commands) >= 9
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

        for command in commands:
            here = re.sub(r" /(backups|safe)/", rf" {tmp_path}/\1/", command)
            if " doctor" in command:  # it says that the broker is away
                assert "broker    the broker does not respond" in printed_by(
                    f"{here} || true", folder, **variables
                )
            else:
                printed_by(here, folder, **variables)
