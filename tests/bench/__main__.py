"""`make bench`: every comparison with a named peer, one after the other, as tables.

`make bench ONLY=referee` runs one of them. A peer that the project does not depend on gets an
environment of its own under `.bench/`, made on the first run and never imported from here:
python-chess because its licence (GPL) keeps it out, elote because nothing else needs it.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def peer(package: str) -> str:
    """The Python of the environment that holds the package; made when it is not there."""
    folder = ROOT / ".bench" / package
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", package]
        subprocess.run(install, check=True)
    return str(python)


COMPARISONS = {
    "listing": (),
    "standings": (),
    "exchange": (),
    "pairing": (),
    "ratings": ("--elote-python", "elote"),
    "referee": ("--chess-python", "chess"),
}
"""Modules of `tests.bench`, with the option that takes a peer's Python and the peer's package."""


def main(only: list[str]) -> int:
    """Run the comparisons named, or all; the number of those that missed a goal or failed."""
    unknown = sorted(set(only) - set(COMPARISONS))
    if unknown:
        sys.exit(f"no comparison is called {unknown[0]}; there are: {', '.join(COMPARISONS)}")
    failed = 0
    for name in only or COMPARISONS:
        command = [sys.executable, "-m", f"tests.bench.{name}"]
        if COMPARISONS[name]:
            option, package = COMPARISONS[name]
            command += [option, peer(package)]
        print(flush=True)
        failed += subprocess.run(command, cwd=ROOT, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
