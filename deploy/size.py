"""`make size`: how large the product is, measured from the files that git knows.

Lines count as they stand, with comments and empty ones; migrations and what is generated do not.
"""

import ast
import subprocess
import sys
from pathlib import Path

PRODUCT = ("manage.py", "games/", "ratings/", "tournament/", "deploy/")
RUFF = (
    *(sys.executable, "-m", "ruff", "check", "--preview", "--select=PLC2701,SLF001"),
    *("--ignore-noqa", "--exit-zero", "--quiet", "--output-format=concise", "--config"),
    "lint.flake8-self.extend-ignore-names="
    "['_meta', '_state', '_default_manager', '_base_manager']",  # Django documents these
)
"""The command that lists all uses of a private API, those too that a comment allows."""


def python_files() -> list[Path]:
    """Return the modules that git knows and that are still there, without migrations."""
    listed = subprocess.run(["git", "ls-files", "*.py"], capture_output=True, text=True, check=True)
    found = map(Path, listed.stdout.splitlines())
    return [path for path in found if "migrations" not in path.parts and path.exists()]


def count_lines(paths: list[Path]) -> int:
    """Return the number of lines of files."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def count_import_lines(path: Path) -> int:
    """Return the number of lines of all import statements of a module."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in found)


def main() -> None:
    """Print the figures."""
    files = python_files()
    product = [path for path in files if str(path).startswith(PRODUCT)]
    deploy = [path for path in product if path.is_relative_to("deploy")]
    core = [path for path in product if path.is_relative_to("games/core")]
    tests = [path for path in files if path.parent == Path("tests")]
    helpers = [path for path in tests if not path.name.startswith("test_")]
    lines, imports = count_lines(product), sum(map(count_import_lines, product))
    private = subprocess.run(RUFF, capture_output=True, text=True, check=True).stdout.splitlines()
    figures = {
        "product Python, lines / files": f"{lines:,} / {len(product)}",
        "imports, share of lines": f"{imports / lines:.1%}",
        "deploy Python, lines": f"{count_lines(deploy):,}",
        "games/core, lines": f"{count_lines(core):,}",
        "helpers of tests, lines": f"{count_lines(helpers):,}",
        "README, words": f"{len(Path('README.md').read_text().split()):,}",
        "private API of libraries, lines": str(len(private)),
    }
    print(*(f"{name:<41}{figure}" for name, figure in figures.items()), *private, sep="\n")


if __name__ == "__main__":
    main()
