"""The files that follow from the description of the API: itself, and parts of the Python client."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from drf_spectacular.generators import SchemaGenerator

from deploy.client_code.operations import operation_modules
from deploy.client_code.types import types_module

SCHEMA = Path("deploy/openapi.json")
CLIENT = Path("deploy/client")
OPERATIONS = CLIENT / "operations"
FORMAT_ARGUMENTS = (("check", "--fix-only", "--select", "F401,I"), ("format",))
"""What ruff does with the modules: remove unused imports, sort, and write them as all others."""


def current_schema() -> dict[str, Any]:
    """Return the OpenAPI description as it is served."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


def schema_text(schema: dict[str, Any]) -> str:
    """Return the description as it is stored."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def client_modules(schema: dict[str, Any]) -> dict[Path, str]:
    """Return the generated modules of the client, by path; raises CalledProcessError."""
    operations = operation_modules(schema)
    found = {CLIENT / "types.py": types_module(schema["components"]["schemas"])}
    found |= {OPERATIONS / f"{name}.py": text for name, text in operations.items()}
    names = "\n".join(f'    "{name}",' for name in sorted(operations))
    found[OPERATIONS / "__init__.py"] = (
        '"""The requests of the API, by the first word of their address."""\n\n'
        f"from . import {', '.join(sorted(operations))}\n\n__all__ = [\n{names}\n]\n"
    )
    return _formatted(found)


def write_files(schema: dict[str, Any]) -> list[Path]:
    """Write all files, remove modules that are none any more, and return what has changed."""
    files = {SCHEMA: schema_text(schema), **client_modules(schema)}
    changed = []
    for path, text in files.items():
        file = settings.BASE_DIR / path
        if not file.exists() or file.read_text() != text:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            changed.append(path)
    for file in (settings.BASE_DIR / OPERATIONS).glob("*.py"):
        if OPERATIONS / file.name not in files:
            file.unlink()
            changed.append(OPERATIONS / file.name)
    return changed


def _formatted(modules: dict[Path, str]) -> dict[Path, str]:
    """Return modules in the format of the project; raises CalledProcessError."""
    config = settings.BASE_DIR / "pyproject.toml"
    with TemporaryDirectory() as folder:
        for path, text in modules.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        for words in FORMAT_ARGUMENTS:
            command = [sys.executable, "-m", "ruff", *words, "--quiet", "--config", config, folder]
            subprocess.run(command, check=True)
        return {path: (Path(folder) / path).read_text() for path in modules}
