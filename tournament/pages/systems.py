"""The pairing systems with their sources and options, for those who set up an event."""

from typing import Any

from rest_framework.request import Request

from games.core.pages import PageView
from tournament.pairing.systems import PAIRING_SYSTEMS


class SystemsPage(PageView):
    template = "tournament/systems.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the description of each pairing system, and the labels of the options."""
        return {
            "systems": [
                system.as_json(code)
                | {
                    "options": [
                        {**option.as_json(), "label": option.label} for option in system.options
                    ]
                }
                for code, system in PAIRING_SYSTEMS.items()
            ]
        }
