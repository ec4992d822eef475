#!/bin/sh
# Creates or updates .venv from a lock file: environment.sh LOCK STAMP
# The stamp's name contains the lock's checksum, so `make` calls this only after a change of the
# lock. PYTHON names the interpreter; the default is the first one that is new enough.
set -u
lock=$1
stamp=$2
log=.venv/install.log

stop() {
    echo "make env: $1" >&2
    exit 1
}

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

interpreter() {
    if [ -n "${PYTHON:-}" ]; then
        new_enough "$PYTHON" || stop "PYTHON=$PYTHON is not Python 3.11 or newer."
        echo "$PYTHON"
        return
    fi
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        if new_enough "$name"; then
            echo "$name"
            return
        fi
    done
    stop "no Python 3.11 or newer was found; set PYTHON=/path/to/python3.11."
}

[ -r "$lock" ] || stop "the lock $lock does not exist; 'make lock' writes it."
grep -q -- '--hash=sha256:' "$lock" || stop "the lock $lock is broken: it has no hashes."
damage=$(grep -nvE '^(#.*)?$|^[a-z0-9._-]+==[^ ]+( ; .*)? \\$|^    --hash=sha256:[0-9a-f]{64}( \\)?$' "$lock" |
    head -n 1)
[ -z "$damage" ] || stop "the lock $lock is broken in line ${damage%%:*}; 'git checkout $lock' restores it."

if ! { [ -x .venv/bin/python ] && new_enough .venv/bin/python; }; then
    python=$(interpreter) || exit 1
    rm -rf .venv
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --python "$(command -v "$python")" .venv || stop "uv could not create .venv."
    else
        "$python" -m venv .venv >/dev/null 2>&1 || {
            rm -rf .venv
            stop "'$python -m venv' failed: install Python's venv package (python3-venv), or uv."
        }
    fi
fi

echo "installing $lock into .venv"
if command -v uv >/dev/null 2>&1; then
    uv pip install --quiet --python .venv/bin/python --require-hashes --no-deps -r "$lock" \
        >"$log" 2>&1
else
    .venv/bin/python -c 'import pip' 2>/dev/null || .venv/bin/python -m ensurepip >/dev/null 2>&1
    .venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check --retries 2 \
        --no-compile --no-deps --require-hashes -r "$lock" >"$log" 2>&1
fi || {
    if grep -qiE 'hash(es)? mismatch|do not match the hashes|invalid requirement|hashes are required|require-hashes|parse requirement|unexpected|invalid hash|expected one of' "$log"; then
        stop "the lock $lock is broken; 'git checkout $lock' restores it (details: $log)."
    elif grep -qiE 'connection|resol|timed out|fetch|network|from versions: none|ssl|proxy' "$log"; then
        stop "no package index could be reached, or a package is missing from it (details: $log)."
    fi
    stop "the installation failed; the last line was: $(tail -n 1 "$log") (all: $log)"
}
rm -f "${stamp%%-lock-*}"-lock-*
: >"$stamp"
