"""Register the players of a list: paste it or select a file, preview it, and see what was done."""

from typing import Any, Final

from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.forms import FormField, FormState
from games.core.page_actions import Form, PageRequest
from games.core.requests import require_account
from games.core.uploads.pages import sent_list
from games.pages.file_imports import FileImportPage
from games.players.views import ImportPlayers

COLUMNS_FIELD: Final = "columns"


class PlayerImportPage(FileImportPage):
    template = "tournament/player_import.html"
    actions = {"import": Form(ImportPlayers, text="file")}
    parameters = (COLUMNS_FIELD,)

    def read(self, request: PageRequest) -> str:
        """Return the list, with the players that were chosen for its lines."""
        return sent_list(request)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the field of the columns whose headings are not known."""
        require_account(request, "players.create")
        return {"field": columns_field(self.form)}


def columns_field(form: FormState) -> FormField:
    """Return the field with the columns of headings that are not known."""
    return FormField(
        name=COLUMNS_FIELD,
        label=gettext("Columns with other headings"),
        value=form.typed.get(COLUMNS_FIELD, ""),
        help=gettext("Each heading and its column, such as Verein:club,Tel:ignore."),
        longest=1000,
        errors=form.errors.get(COLUMNS_FIELD, ()),
    )
