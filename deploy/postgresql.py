"""PostgreSQL for requests: a statement that is not answered in time fails."""

from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from deploy.waits import REQUEST_WAIT


class ImpatientConnection(psycopg.Connection):
    """A connection that waits at most REQUEST_WAIT for a response."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for a response; raises OperationalError."""
        try:
            return super().wait(gen, interval, timeout or REQUEST_WAIT)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                self.close()  # a late response must not be taken for that of the next statement
            raise
