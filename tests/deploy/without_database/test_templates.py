"""What all templates of pages have to do."""

import re

from tests.processes import ROOT

STANDALONE = "table_page.html"
"""A table of the API, whose policy names the digest of its style."""

TEMPLATES = [path for path in ROOT.glob("*/templates/**/*.html") if path.name != STANDALONE]


def test_forms_name_their_address() -> None:
    """Without one, a form on the page of a preview would be previewed again."""
    forms = [
        (path.name, form)
        for path in TEMPLATES
        for form in re.findall(r"<form[^>]*>", path.read_text())
    ]
    assert len(forms) > 20
    assert [item for item in forms if 'method="post"' in item[1] and "action=" not in item[1]] == []


def test_nothing_needs_an_inline_script_or_style() -> None:
    wrong = r"<script>|<style>|\sstyle=|\son[a-z]+=|javascript:"
    found = [(path.name, re.findall(wrong, path.read_text())) for path in TEMPLATES]
    assert [item for item in found if item[1]] == []


def test_scripts_are_modules() -> None:
    """Each has a scope of its own, so that two may have functions of one name; JSON is not run."""
    scopes = re.compile(r'type="(module|application/(ld[+])?json)"')
    scripts = [
        (path.name, script)
        for path in TEMPLATES
        for script in re.findall(r"<script[^>]*>", path.read_text())
    ]
    assert {name for name, script in scripts if not scopes.search(script)} == {"api_docs.html"}
