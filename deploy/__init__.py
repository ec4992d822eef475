"""How the product is assembled and run; the version of the whole stands here alone.

Between releases it is that of the next one, with `.dev0`.
"""

__version__ = "0.3.0.dev0"
