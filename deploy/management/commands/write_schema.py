"""Write the OpenAPI description, and the modules of the Python client that follow from it.

manage.py write_schema    # deploy/openapi.json, deploy/client/types.py, deploy/client/operations/
"""

from typing import Any

from django.core.management.base import BaseCommand

from deploy.client_code.files import current_schema, write_files


class Command(BaseCommand):
    help = "Write deploy/openapi.json and the generated modules of deploy/client."

    def handle(self, *args: Any, **options: Any) -> None:
        changed = [str(path) for path in write_files(current_schema())]
        self.stdout.write("\n".join(changed) or "nothing has changed")
