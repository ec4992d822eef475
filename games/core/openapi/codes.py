"""The codes of problems in the OpenAPI description.

The module of problems has views, so only this one imports it: views load `schema` themselves.
"""

from typing import Any

from games.core.openapi.components import PROBLEMS
from games.core.problems import problem_types


def list_codes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Name in the description of each response with a problem the codes that it may have."""
    for status, (name, description) in PROBLEMS.items():
        codes = [f"`{each.code}`" for each in problem_types().values() if status in each.statuses]
        response = result["components"]["responses"][name]
        response["description"] = f"{description}\n\nCodes: {', '.join(codes)}."
    return result
