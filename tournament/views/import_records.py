"""Import the records of an event from a file."""

from django.utils.translation import gettext_noop

from games.core.actions import endpoint
from games.http.parsers import FileParser, TextBytesParser
from games.http.views import ApiView
from games.imports.responses import TEXT_FILE, ImportAction
from games.serializers.tasks import import_responses
from tournament.imports.records import RECORDS_IMPORTER
from tournament.serializers.imports import ImportedRecordsSerializer
from tournament.views import examples
from tournament.views.lookup import ActionInEvent


class ImportRecords(ImportAction, ActionInEvent):
    """Add each record of a file to its game, as a ruling that the record proves.

    A record names its game by the tags `Round` and `Table` (the board number), or by `First`
    and `Second`, which take precedence over `Table`: a TRF file contains no board numbers.
    """

    name = "import_records"
    importer = RECORDS_IMPORTER
    request = TEXT_FILE
    responses = import_responses(ImportedRecordsSerializer)
    examples = examples.request_example(
        examples.RECORDS_EXAMPLE, "text/plain", "the record of one board"
    )
    done = gettext_noop("The records of the file are entered.")


class RecordsImport(ApiView):
    parser_classes = [TextBytesParser, FileParser]
    post = endpoint(ImportRecords)
