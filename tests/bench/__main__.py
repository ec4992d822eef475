"""`make bench`: every comparison with a named peer, one after the other, as tables.

A peer whose licence keeps it out of the project (python-chess, GPL) gets an environment of its
own under `.bench/`, which is made on the first run and never imported from here.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CHESS = ROOT / ".bench" / "chess"


def chess_python() -> Path:
    """The Python of the environment that holds python-chess; made when it is not there."""
    python = CHESS / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(CHESS)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "chess"], check=True)
    return python


def main() -> int:
    """Run every comparison; the number of those that failed."""
    comparisons = {
        "tests.bench.listing": [],
        "tests.bench.standings": [],
        "tests.bench.referee": ["--chess-python", str(chess_python())],
    }
    failed = 0
    for module, arguments in comparisons.items():
        print(flush=True)
        failed += (
            subprocess.run(
                [sys.executable, "-m", module, *arguments], cwd=ROOT, check=False
            ).returncode
            != 0
        )
    return failed


if __name__ == "__main__":
    sys.exit(main())
