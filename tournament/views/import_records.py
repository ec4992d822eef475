"""Import the records of an event from a file."""

from django.utils.translation import gettext_noop

from games.core.actions import endpoint
from games.core.formats import FileParser, TextBytesParser
from games.core.uploads.views import TEXT_FILE, ImportAction
from games.core.views import ApiView
from games.serializers.tasks import import_responses
from tournament.core.examples import RECORDS_EXAMPLE, request_example
from tournament.core.lookup import ActionInEvent
from tournament.results.records import RECORDS_IMPORTER
from tournament.serializers.imported_records import ImportedRecordsSerializer


class ImportRecords(ImportAction, ActionInEvent):
    """Add each record of a file to its game, as a ruling that the record proves.

    A record names its game by the tags `Round` and `Table` (the board number), or by `First`
    and `Second`, which take precedence over `Table`: a TRF file contains no board numbers.
    """

    name = "import_records"
    importer = RECORDS_IMPORTER
    request = TEXT_FILE
    responses = import_responses(ImportedRecordsSerializer)
    examples = request_example(RECORDS_EXAMPLE, "text/plain", "the record of one board")
    done = gettext_noop("The records of the file are entered.")


class RecordsImport(ApiView):
    parser_classes = [TextBytesParser, FileParser]
    post = endpoint(ImportRecords)
