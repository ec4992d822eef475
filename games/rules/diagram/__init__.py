"""Diagrams: SVG of a board, of a position, of a record after n plies.

A diagram is self-contained: no script, no font, no style attribute. The same file serves screen
and paper, has a title and a description for screen readers, and is identical for equal contents.
"""
