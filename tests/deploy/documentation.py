"""The pages of the documentation, and the commands in them with their documented output."""

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import ROOT

DOCS = ROOT / "deploy" / "docs"


JOURNAL = "reference/journal.md"


def page(name: str) -> str:
    """Return the text of a page, such as `howto/run.md`."""
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """Return what is below a heading of the second level."""
    return text.partition(f"## {title}")[2].partition("\n## ")[0]


def blocks(text: str, language: str) -> str:
    """Return the text's code blocks in a language, in order."""
    return "".join(re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL))


def payload_members() -> dict[str, set[str]]:
    """Return the members of the payloads of a tournament's journal by kind; `*` for settings."""
    found = {}
    for kinds, members in re.findall(r"^\| (`[a-z_]+\..*?) \| (.*) \|$", page(JOURNAL), re.M):
        words = {"salt", *re.findall(r"`(\w+)`", members)}
        if "the settings" in members or "the values" in members:
            words.add("*")
        found |= dict.fromkeys(re.findall(r"`([a-z_.]+)`", kinds), words)
    return found


def recipes() -> dict[str, str]:
    """Return the programs of the pages for integrators by name."""
    text = page("howto/integrate.md") + page("howto/apps.md") + page("howto/verify.md")
    return dict(re.findall(r"^```\w+ recipe=(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


@contextmanager
def checkout() -> Iterator[Path]:
    """Create a folder with the project's files, and without a state folder."""
    with tempfile.TemporaryDirectory(prefix="perihelion-", dir="/tmp") as name:
        folder = Path(name)
        for part in (".venv", "manage.py", "deploy"):
            if (ROOT / part).exists():
                (folder / part).symlink_to(ROOT / part)
        yield folder


def printed_by(script: str, folder: Path, **environment: str) -> str:
    """Return the output of a script in bash, error output included."""
    return subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", "LANG": "C.UTF-8", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=True,
    ).stdout
