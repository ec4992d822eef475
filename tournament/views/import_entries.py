"""Import the entries of an event from a file."""

from django.utils.translation import gettext_noop

from games.core.actions import endpoint
from games.http.parsers import BytesParser, FileParser
from games.http.views import ApiView
from games.imports.responses import CSV_FILE, CSV_PARAMETERS, ImportAction
from games.serializers.tasks import import_responses
from tournament.imports.entries import ENTRIES_IMPORTER
from tournament.serializers.imports import ImportedEntriesSerializer
from tournament.views import examples
from tournament.views.lookup import ActionInEvent


class ImportEntries(ImportAction, ActionInEvent):
    """Enter the players of a CSV file.

    The columns of `players/import`, and `category`. Each line is another person, found or
    refused as there.
    """

    name = "import_entries"
    importer = ENTRIES_IMPORTER
    parameters = CSV_PARAMETERS
    request = CSV_FILE
    responses = import_responses(ImportedEntriesSerializer)
    examples = examples.request_example(examples.ENTRIES_EXAMPLE, "text/csv", "two entries")
    done = gettext_noop("The players of the file are entered.")


class EntriesImport(ApiView):
    parser_classes = [BytesParser, FileParser]
    post = endpoint(ImportEntries)
