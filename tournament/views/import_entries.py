"""Import the entries of an event from a file."""

from django.utils.translation import gettext_noop

from games.core.actions import endpoint
from games.core.formats import BytesParser, FileParser
from games.core.uploads.views import CSV_FILE, CSV_PARAMETERS, ImportAction
from games.core.views import ApiView
from games.serializers.tasks import import_responses
from tournament.core.examples import ENTRIES_EXAMPLE, request_example
from tournament.core.lookup import ActionInEvent
from tournament.entries.imports import ENTRIES_IMPORTER
from tournament.serializers.imported_entries import ImportedEntriesSerializer


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
    examples = request_example(ENTRIES_EXAMPLE, "text/csv", "two entries")
    done = gettext_noop("The players of the file are entered.")


class EntriesImport(ApiView):
    parser_classes = [BytesParser, FileParser]
    post = endpoint(ImportEntries)
