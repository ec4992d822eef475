"""`make size`: how large the product is, measured from the files that git knows.

Lines count as they stand, with comments and empty ones; migrations and what is generated do not.
"""

import ast
import re
import subprocess
from pathlib import Path

PRODUCT = ("manage.py", "games/", "ratings/", "tournament/", "deploy/")
PRIVATE_API = re.compile(
    r"""
      ^\s*(from|import)\s+(_pytest|(?!deploy|tests)[\w.]+\._\w+)     # a private module
    | ^\s*from\s+(?!\.)[\w.]+\s+import\s+(.*\W)?_[a-z]\w+           # a private name of a module
    | \b(django\.db\.models\.sql|hypothesis\.internal)\b
    | \._(request|full_data|result_cache|prefetched_objects_cache|fields_cache)\b
    | \b(queryset|response|connection|serializer|celery|kombu|uvicorn)\._(?!state\b)[a-z]
    """,
    re.VERBOSE,
)


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


def count_private_api(path: Path) -> int:
    """Return the number of lines that use a private API of a library."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return sum(bool(PRIVATE_API.search(line)) for line in lines if path != Path("deploy/size.py"))


def main() -> None:
    """Print the figures."""
    files = python_files()
    product = [path for path in files if str(path).startswith(PRODUCT)]
    deploy = [path for path in product if path.is_relative_to("deploy")]
    core = [path for path in product if path.is_relative_to("games/core")]
    tests = [path for path in files if path.parent == Path("tests")]
    helpers = [path for path in tests if not path.name.startswith("test_")]
    lines, imports = count_lines(product), sum(map(count_import_lines, product))
    private = {path: count for path in files if (count := count_private_api(path))}
    figures = {
        "product Python, lines / files": f"{lines:,} / {len(product)}",
        "imports, share of lines": f"{imports / lines:.1%}",
        "deploy Python, lines": f"{count_lines(deploy):,}",
        "games/core, lines": f"{count_lines(core):,}" if core else "not yet",
        "helpers of tests, lines": f"{count_lines(helpers):,}",
        "README, words": f"{len(Path('README.md').read_text().split()):,}",
        "private API of libraries, lines": str(sum(private.values())),
    } | {f"    {path}": str(count) for path, count in private.items()}
    print("\n".join(f"{name:<41}{figure}" for name, figure in figures.items()))


if __name__ == "__main__":
    main()
