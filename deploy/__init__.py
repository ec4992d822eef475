"""How the product is assembled and run; the version of the whole stands here alone."""

__version__ = "0.2.0"
