"""Why a connection to the database fails."""

import psycopg
from django.db import DatabaseError, connection


def connection_failure() -> str:
    """Return why a connection fails, in the database's own words; the pool would try for long."""
    try:
        if connection.vendor == "postgresql":
            parameters = connection.get_connection_params()
            parameters.pop("pool", None)
            psycopg.connect(**parameters).close()
        else:
            connection.ensure_connection()
    except (DatabaseError, psycopg.Error, OSError) as error:
        return f"the database cannot be used: {first_line(error)}"
    return ""


def first_line(error: BaseException) -> str:
    """Return the first line of an exception's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
