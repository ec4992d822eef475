"""Diagrams: SVG of a board, of a position, of a record after n plies.

The picture needs nothing else: no script, no font, no style attribute. The same file serves
screen and paper, has a title and a description for those who cannot see it, and is the same
bytes for the same contents.
"""

from games.rules.diagram.picture import STYLE, draw
from games.rules.diagram.scene import PlyOutOfRange, Scene, scene_of_board, scene_of_record

__all__ = ["STYLE", "PlyOutOfRange", "Scene", "draw", "scene_of_board", "scene_of_record"]
