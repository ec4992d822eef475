"""The documentation names only files and folders that exist."""

import re

from tests.cases import each_case
from tests.processes import ROOT

PATH = re.compile(r"`((?:games|ratings|tournament|deploy|tests)/[\w./-]*)`")


@each_case(
    "page",
    [
        "README.md",
        ".github/CONTRIBUTING.md",
        "deploy/docs/howto/run.md",
        "deploy/docs/howto/organise.md",
        "deploy/docs/howto/integrate.md",
    ],
)
def test_every_path_exists(page: str) -> None:
    paths = set(PATH.findall((ROOT / page).read_text(encoding="utf-8")))

    assert sorted(path for path in paths if not (ROOT / path).exists()) == []


def test_the_example_of_one_test_selects_some() -> None:
    page = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    ((path, word),) = re.findall(r"pytest (tests/\S+\.py) -k (\w+)", page)

    assert re.search(rf"def test_\w*{word}", (ROOT / path).read_text(encoding="utf-8"))
