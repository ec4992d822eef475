"""The client behind `make demo`: it plays the two sample events through the REST API.

It imports nothing of the service except the sample files, so any program in any language can do
what it does.
"""
