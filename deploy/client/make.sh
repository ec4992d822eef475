#!/bin/sh
# make.sh FOLDER: makes the Python client of the REST API in a folder, from the code as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
python="$here/../../.venv/bin/python"
"$python" "$here/../../manage.py" spectacular --format openapi-json --file "$folder/openapi.json"
"$python" -m openapi_python_client generate --overwrite --meta none --fail-on-warning \
    --config "$here/generator.yaml" --path "$folder/openapi.json" \
    --output-path "$folder/perihelion_client"
cp "$here/extras.py" "$folder/perihelion_client"
cp "$here/pyproject.toml" "$folder"
touch "$folder/perihelion_client/py.typed"
