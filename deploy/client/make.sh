#!/bin/sh
# make.sh FOLDER: makes the Python client of the REST API in a folder, from the code as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
python="$here/../../.venv/bin/python"
"$python" "$here/../../manage.py" spectacular --format openapi-json --file "$folder/openapi.json"
# The generated code sends a file as the last of its types; all operations take bytes of any.
"$python" - "$folder/openapi.json" <<'END'
import json, pathlib, sys
file = pathlib.Path(sys.argv[1])
schema = json.loads(file.read_text())
for path in schema["paths"].values():
    for operation in path.values():
        content = operation.get("requestBody", {}).get("content", {})
        for name in content.keys() - {"application/json", "application/octet-stream"}:
            del content[name]
file.write_text(json.dumps(schema))
END
"$python" -m openapi_python_client generate --overwrite --meta none --fail-on-warning \
    --config "$here/generator.yaml" --path "$folder/openapi.json" \
    --output-path "$folder/perihelion_client"
cp "$here/extras.py" "$folder/perihelion_client"
cp "$here/pyproject.toml" "$folder"
touch "$folder/perihelion_client/py.typed"
