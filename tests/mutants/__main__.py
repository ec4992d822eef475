"""Plant faults in the code of a subject, one at a time, and count those that its tests see.

    .venv/bin/python -m tests.mutants entries rounds
    .venv/bin/python -m tests.mutants entries --only links --tests tests/tournament/entries

The faults of a subject stand in `tests/mutants/<subject>.toml`: the folder of tests that has to see
them, and for each fault the file, a text that stands in it once, and the faulty text. The tree is
copied first, so the checkout is not touched. `--tests` names others.
"""

import argparse
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = Path(__file__).parent
PYTEST = ["-m", "pytest", "-x", "--tb=line", "-p", "no:cacheprovider"]
SECONDS = 900
"""After so many seconds the tests of a fault count as hanging, which a developer sees too."""


def main(arguments: list[str]) -> int:
    """Run the subjects that the arguments name; return 1 if a fault was not seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    names = sorted(path.stem for path in PLACE.glob("*.toml"))
    parser.add_argument(
        "subjects", nargs="+", choices=names, metavar="SUBJECT", help=", ".join(names)
    )
    parser.add_argument("--only", default="", help="faults whose file or description has this text")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to copy")
    parser.add_argument("--tests", nargs="+", default=[], help="instead of those of the subject")
    options = parser.parse_args(arguments)
    unseen = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = copied(options.tree, Path(folder))
        for subject in options.subjects:
            unseen += run_subject(subject, copy, options.only, options.tests)
    return 1 if unseen else 0


def copied(tree: Path, folder: Path) -> Path:
    """Copy the files that git knows or would add, with the environment of this program."""
    names = ["git", "-C", str(tree), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(names, check=True, capture_output=True).stdout
    there = b"".join(
        name + b"\0" for name in files.split(b"\0") if name and (tree / name.decode()).is_file()
    )
    archive = ["tar", "-C", str(tree), "--null", "-T", "-", "-c"]
    packed = subprocess.run(archive, input=there, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-C", str(folder), "-x"], input=packed, check=True)
    (folder / ".venv").symlink_to(Path(sys.prefix))
    return folder


def run_subject(subject: str, tree: Path, only: str, tests: list[str]) -> int:
    """Try the faults of a subject; return how many were not seen."""
    plan = tomllib.loads((PLACE / f"{subject}.toml").read_text())
    faults = [fault for fault in plan["fault"] if only in f"{fault['file']} {fault['what']}"]
    unseen = 0
    for fault in faults:
        seen = seen_by(fault, tree, tests or plan["tests"])
        unseen += seen is None
        print(f"{seen or 'NOT SEEN':<70} {fault['file']}: {fault['what']}", flush=True)
    print(f"{subject}: {len(faults) - unseen} of {len(faults)} seen", flush=True)
    return unseen


def seen_by(fault: dict[str, str], tree: Path, tests: list[str]) -> str | None:
    """Return the first test that fails with the fault; None if all pass."""
    path = tree / fault["file"]
    text = path.read_text()
    if text.count(fault["old"]) != 1:
        sys.exit(f"{fault['file']} has {text.count(fault['old'])} times: {fault['old']!r}")
    path.write_text(text.replace(fault["old"], fault["new"]))
    try:
        command = [".venv/bin/python", *PYTEST, *tests]
        run = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "(hangs)"
    finally:
        path.write_text(text)
    if run.returncode == 0:
        return None
    lines = [
        line for line in run.stdout.splitlines() if line.startswith(("FAILED tests", "ERROR tests"))
    ]
    return lines[0].split()[1] if lines else (run.stdout + run.stderr).strip().splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
