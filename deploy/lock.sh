#!/bin/sh
# Writes deploy/requirements.txt, requirements-test.txt and requirements-docs.txt from pyproject.toml:
# all versions pinned, with the hashes of their files for all systems and Pythons, without a package index.
set -eu
uv=$(command -v uv || echo .venv/bin/uv)
[ -x "$uv" ] || .venv/bin/python -m pip install --quiet uv

compile() {
    output=$1
    shift
    "$uv" pip compile pyproject.toml --no-config --quiet --universal --python-version 3.11 \
        --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header \
        --output-file "$output" "$@"
    echo "$output: $(grep -c '==' "$output") packages"
}

compile deploy/requirements.txt "$@"
compile deploy/requirements-test.txt --extra test --constraints deploy/requirements.txt "$@"
compile deploy/requirements-docs.txt --extra docs --constraints deploy/requirements-test.txt "$@"
