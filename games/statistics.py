"""The statistics from which the database plans its queries."""

from django.db import connection
from django.db.models import Model


def update_statistics(*models: type[Model]) -> None:
    """Let PostgreSQL count the rows of these models, in the transaction of the caller if any.

    It does so by itself about a minute after many rows were written. Until then it expects few,
    and a query that it plans in this time can read all rows again for each of them. A table that is
    being counted already is skipped. SQLite needs no statistics for the queries of this project.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                f"ANALYZE (SKIP_LOCKED) {', '.join(model._meta.db_table for model in models)}"
            )
