"""`make bench`: run all benchmarks, most of them against another program, and print tables.

`make bench ONLY=referee` runs one of them. Programs that the project does not depend on have their
own environment in `.bench/`, created by the first run and never imported here: python-chess because
of its licence (GPL), elote because nothing else needs it.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def environment_python(package: str) -> str:
    """Return the Python of the environment with a package; create it if necessary."""
    folder = ROOT / ".bench" / package
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", package]
        subprocess.run(install, check=True)
    return str(python)


BENCHMARKS = {
    "pairing": (),
    "standings": (),
    "referee": ("--chess-python", "chess"),
    "ratings": ("--elote-python", "elote"),
    "margins": (),
    "intervals": (),
    "forecast": (),
    "stream": (),
    "pages": (),
}
"""Modules of `tests.bench`, with the option for the Python of a package, and the package."""


def main(only: list[str]) -> int:
    """Run these benchmarks, or all; print and count those that failed or missed a goal."""
    unknown = sorted(set(only) - set(BENCHMARKS))
    if unknown:
        sys.exit(f"unknown benchmark {unknown[0]}; valid: {', '.join(BENCHMARKS)}")
    failed = []
    for name in only or BENCHMARKS:
        command = [sys.executable, "-m", f"tests.bench.{name}"]
        if BENCHMARKS[name]:
            option, package = BENCHMARKS[name]
            command += [option, environment_python(package)]
        print(flush=True)
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            failed.append(name)
    print(f"\nmissed or failed: {', '.join(failed)}" if failed else "\nall goals are met")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
