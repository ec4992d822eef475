"""The pairing systems with their sources and options, for those who set up an event."""

from typing import Any

from rest_framework.request import Request

from games.pages.views import PageView
from tournament.pages.option_texts import OPTION_LABELS
from tournament.pairing.systems import PAIRING_SYSTEMS


class SystemsPage(PageView):
    template = "tournament/systems.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the description of each pairing system, and the labels of the options."""
        systems = [system.as_json(code) for code, system in PAIRING_SYSTEMS.items()]
        for system in systems:
            for option in system["options"]:
                option["label"] = OPTION_LABELS[option["name"]]
        return {"systems": systems}
