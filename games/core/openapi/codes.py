"""Problems and their codes in the OpenAPI description.

The module of problems has views, so only this one imports it: views load `schema` themselves.
"""

from typing import Any

from games.core.openapi.components import PROBLEMS, Problem, operations_of, problem_references
from games.core.openapi.objects import schemas_of
from games.core.problems import problem_types


def list_codes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Name the codes that a problem may have: of any operation by status, and of each one."""
    result["components"]["schemas"] |= schemas_of(Problem)
    types = problem_types().values()
    for status, (name, description, *_fields) in PROBLEMS.items():
        codes = [
            f"`{each.code}`" for each in types if status in each.statuses and not each.operations
        ]
        described = result["components"]["responses"][name]
        described["description"] = f"{description}\n\nCodes: {', '.join(codes)}."
    for operation in operations_of(result):
        if own := [each for each in types if operation["operationId"] in each.operations]:
            codes = [f"`{each.code}`" for each in own]
            text = f"Codes of its own: {', '.join(codes)}."
            operation["description"] = f"{operation.get('description', '')}\n\n{text}".strip()
            statuses = {status for each in own for status in each.statuses}
            found = problem_references(statuses) | operation["responses"]
            operation["responses"] = dict(sorted(found.items()))
    return result
