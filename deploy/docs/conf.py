"""The configuration of Sphinx; `make docs` builds the site in deploy/site."""

import os
import sys
from pathlib import Path
from typing import ClassVar

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

import django  # noqa: E402  the project has to be importable first

django.setup()

from django.conf import settings  # noqa: E402
from docutils import nodes  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402
from sphinx.util.docutils import SphinxDirective  # noqa: E402

from deploy.docs.from_code import LISTS  # noqa: E402

project = "Perihelion"
author = "the authors of Perihelion"
release = version = settings.VERSION
extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 3
nitpicky = True
root_doc = "index"
html_theme = "furo"
html_title = f"{project} {version}"
html_favicon = "../static/deploy/star.svg"
html_show_copyright = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#7a3e00",
        "color-brand-content": "#7a3e00",
        "color-brand-visited": "#7a3e00",
    },
    "dark_css_variables": {
        "color-brand-primary": "#ffb45c",
        "color-brand-content": "#ffb45c",
        "color-brand-visited": "#ffb45c",
    },
}


class FromCode(SphinxDirective):
    """Insert a list that is computed from the code: `{from-code} games`."""

    required_arguments: ClassVar = 1

    def run(self) -> list[nodes.Node]:
        """Return the list, which is written in Markdown."""
        return self.parse_text_to_nodes(LISTS[self.arguments[0]](), allow_section_headings=True)


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("from-code", FromCode)
