"""The method and the address of the request of each action that `allowed_actions` lists."""

from tournament.services.states import TRANSITIONS

Address = tuple[str, str]
"""The method, and what follows the address of the object."""

ADDRESSES: dict[str, dict[str, Address]] = {
    "event": {
        **{action: ("POST", f"/{action}") for action in TRANSITIONS},
        "edit": ("PATCH", ""),
        "enter": ("POST", "/entries"),
        "apply": ("POST", "/entries/apply"),
        "request_bye": ("POST", "/byes"),
        "correct": ("POST", "/corrections"),
    },
    "round": {
        "edit": ("PATCH", ""),
        "pair": ("POST", "/pair"),
        "set_pairings": ("PUT", "/pairings"),
        "change_boards": ("PATCH", "/pairings"),
        "publish": ("POST", "/publish"),
        "unpair": ("POST", "/unpair"),
        "restore": ("POST", "/restore"),
        "enter_results": ("POST", "/results"),
        "complete": ("POST", "/complete"),
        "reopen": ("POST", "/reopen"),
    },
    "entry": {
        "edit": ("PATCH", ""),
        "accept": ("POST", "/accept"),
        "refuse": ("POST", "/refuse"),
        "wait": ("POST", "/wait"),
        "withdraw": ("POST", "/withdraw"),
        "return": ("POST", "/return"),
        "consent": ("POST", "/consent"),
        "availability": ("PUT", "/availability"),
        "check-in": ("POST", "/check-in"),
        "check-out": ("POST", "/check-out"),
    },
    "game": {
        "record": ("POST", "/reports"),
        "claim": ("POST", "/reports"),
        "confirm": ("POST", "/confirm"),
        "dispute": ("POST", "/dispute"),
        "rule": ("POST", "/rule"),
        "annul": ("POST", "/annul"),
        "adjourn": ("POST", "/adjourn"),
    },
}
