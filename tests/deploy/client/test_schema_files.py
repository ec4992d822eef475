"""What is stored of the API's description is what the service describes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deploy.client_code.files import SCHEMA, client_modules, current_schema, schema_text
from deploy.client_code.operations import operation_modules
from deploy.client_code.types import expression
from tests.processes import ROOT


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return current_schema()


def test_the_stored_schema_is_current(schema: dict[str, Any]) -> None:
    text = (ROOT / SCHEMA).read_text()
    stored, current = json.loads(text)["paths"], schema["paths"]
    different = [path for path in stored | current if stored.get(path) != current.get(path)]
    assert different == [], "run `make schema`"
    assert text == schema_text(schema), "run `make schema`"


def test_the_client_has_the_current_requests_and_types(schema: dict[str, Any]) -> None:
    different = [
        str(path)
        for path, text in client_modules(schema).items()
        if not (ROOT / path).exists() or (ROOT / path).read_text() != text
    ]
    assert different == [], "run `make schema`"


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        ({"type": "string"}, "str"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Game"}}, "list[Game]"),
        ({"oneOf": [{"$ref": "#/x/A"}, {"type": "null"}]}, "A | None"),
        ({"oneOf": [{"type": "integer"}, {}]}, "Any"),
        ({"allOf": [{"$ref": "#/x/State"}], "description": "x"}, "State"),
        ({"enum": ["a", 1, None]}, "Literal['a', 1, None]"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "dict[str, float]"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"type": "string", "format": "binary"}, "bytes"),
    ],
)
def test_a_schema_becomes_a_type(described: dict[str, Any], expected: str) -> None:
    assert expression(described) == expected


def test_arguments_of_an_address_are_in_its_order() -> None:
    names = [{"name": name, "in": "path", "schema": {}} for name in ("entry_id", "slug")]
    operation = {"operationId": "entry", "parameters": names, "responses": {"204": {}}}
    path = "/api/v1/tournaments/{slug}/entries/{entry_id}"
    schema = {"paths": {path: {"get": operation}}, "components": {"schemas": {}}}
    (module,) = operation_modules(schema).values()
    assert "def entry(slug: Any, entry_id: Any) -> Operation[None]:" in module


@pytest.mark.long
def test_the_client_is_a_package_that_can_be_installed(tmp_path: Path) -> None:
    copy = shutil.copytree(ROOT / "deploy" / "client", tmp_path / "source")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    command += [str(tmp_path / "site"), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "No matching distribution found for setuptools" in done.stderr:
        pytest.skip("the package index cannot be reached: setuptools cannot build the package")
    assert done.returncode == 0, done.stderr
    code = "from perihelion_client import Client; from perihelion_client.operations import players"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "site", check=True)
    assert (tmp_path / "site" / "perihelion_client" / "py.typed").exists()
