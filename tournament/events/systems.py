"""The pairing systems with their sources and options, and what an event sets about its own."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.pages import PageView
from games.core.types import list_of
from games.core.views import ApiView
from tournament.pairing.systems import PAIRING_SYSTEMS


class SystemOption(TypedDict):
    """An option of a pairing system."""

    name: str
    kind: Literal["number", "flag", "word"]
    summary: str
    default: int | str | bool | None
    least: NotRequired[int]
    most: NotRequired[int]
    words: NotRequired[Annotated[dict[str, str], "the meaning of each word"]]


class System(TypedDict):
    """A pairing system, with the regulation that it follows."""

    code: str
    name: str
    summary: str
    source: str
    separations: Annotated[bool, "whether players can be kept apart"]
    seat_balance_off: Annotated[bool, "whether `balance_seats` may be false"]
    late_entries: bool
    two_games: Annotated[bool, "`games_per_pairing` may be 2"]
    options: Annotated[list[SystemOption], "the members of `system_options`"]


class SystemsList(ApiView):
    @extend_schema(responses=list_of(System))
    def get(self, request: Request) -> Response:
        """List the pairing systems with their options and sources.

        `code` is the `system` of a tournament, `options` are the members of its `system_options`
        with their defaults, and `source` is the regulation that it follows.
        """
        systems = [system.as_json(code) for code, system in PAIRING_SYSTEMS.items()]
        return Response({"next": None, "previous": None, "results": systems})


class SystemsPage(PageView):
    template = "tournament/events/systems.html"

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
