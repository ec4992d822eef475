"""The base class of the API's views."""

from typing import Any

from rest_framework.request import Request
from rest_framework.views import APIView

from games.http.errors import Unprocessable

READS = frozenset({"GET", "HEAD", "OPTIONS"})


class ApiView(APIView):
    """A view that refuses a write with an unknown parameter, such as `?dryrun=1`."""

    write_parameters: tuple[str, ...] = ("dry_run",)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate and count the request, and check the parameters of a write."""
        super().initial(request, *args, **kwargs)
        if request.method not in READS:
            unknown = sorted(set(request.query_params) - set(self.write_parameters))
            if unknown:
                valid = list(self.write_parameters)
                detail = f"{unknown[0][:40]!r} is not a parameter; valid are: {', '.join(valid)}"
                raise Unprocessable("unknown_parameter", detail, valid=valid)
