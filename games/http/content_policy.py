"""The Content-Security-Policy of responses that contain a style."""

from base64 import b64encode
from hashlib import sha256


def allow_style(style: str) -> str:
    """Return the source of a policy that allows this style element, by its digest."""
    return f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"


def picture_policy(style: str) -> str:
    """Return the policy of an SVG file that may load nothing but this style element."""
    return (
        f"default-src 'none'; style-src {allow_style(style)}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
    )
