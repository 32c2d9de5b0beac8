"""Makes the raw files of the phone sources' fixtures, in the real forms: `python tools/make_phone_fixtures.py NAME...`.

Binary files cannot be read in a diff; what stands in them stands in `phone_fixtures/`. All of it is made up."""

from __future__ import annotations

import sys

from phone_fixtures import aitw, aitz, androidcontrol, digidata, digirl, gui_odyssey, guiact

ALL = (aitw, aitz, androidcontrol, digidata, digirl, gui_odyssey, guiact)
MAKERS = {one.__name__.rsplit(".", 1)[-1]: one for one in ALL}

if __name__ == "__main__":
    for name in sys.argv[1:] or MAKERS:
        MAKERS[name].make()
        print(name)
