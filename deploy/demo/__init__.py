"""The client of `make demo`: it plays the two sample events through the REST API alone.

It imports nothing of the service, only the samples' files and the standard library, so what it
shows is what any program in any language can do.
"""
