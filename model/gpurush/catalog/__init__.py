"""Chips, servers and racks, network fabrics: what the hardware is, with the source of every number.

* ``chips``: ``Chip`` (the order of chips in every array of the model) and ``ChipSpec``.
* ``racks``: ``RackSpec``, the server or rack that a chip is sold in.
* ``fabrics``: ``FabricSpec``, the switches and links between nodes.
* ``tables``: how the CSV files are read; ``Birth`` is a number's birth certificate.

Nothing here loads the compiler. A name that the catalogue does not know raises ``CatalogError``, a
``ValueError`` that says what is allowed and what comes nearest.
"""

from .chips import CHIPS, Chip, ChipSpec, chip, chip_specs, find_chip
from .errors import CatalogError
from .fabrics import FabricSpec, fabric, fabrics
from .racks import RackSpec, rack, racks
from .tables import Birth, Grade

__all__ = [
    "CHIPS",
    "Birth",
    "CatalogError",
    "Chip",
    "ChipSpec",
    "FabricSpec",
    "Grade",
    "RackSpec",
    "chip",
    "chip_specs",
    "fabric",
    "fabrics",
    "find_chip",
    "rack",
    "racks",
]
