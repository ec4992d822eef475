"""The actions of an entry that directors' pages have."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from games.core.page_actions import PageAction
from tournament.views.entry_actions import EntryActionView, WithdrawEntry

ENTRY_ACTION_NOTICES: Final = {
    "accept": gettext_noop("The entry is accepted."),
    "refuse": gettext_noop("The entry is refused."),
    "wait": gettext_noop("The entry is on the waiting list."),
    "return": gettext_noop("The player is back in the event."),
}
ENTRY_ACTION_LABELS: Final[Mapping[str, str | Promise]] = {
    "accept": _("Accept"),
    "refuse": _("Refuse"),
    "wait": _("Waiting list"),
    "withdraw": _("Withdraw"),
    "return": _("Return"),
}
ENTRY_PAGE_ACTIONS: Final = {
    **{
        name: PageAction(
            EntryActionView, done, options={"action_name": name}, parameters=("entry_id",)
        )
        for name, done in ENTRY_ACTION_NOTICES.items()
    },
    "withdraw": PageAction(
        WithdrawEntry, gettext_noop("The player is withdrawn."), parameters=("entry_id",)
    ),
}
