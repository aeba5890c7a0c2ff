"""`python -m workbench.gui`: the window."""

import sys

# Python searches the current folder first, which may contain files from others, so no module may be imported from
# there.
if not sys.flags.safe_path and not __file__.startswith(sys.path[0]):
    del sys.path[0]

from workbench.gui.shell.start import main

if __name__ == "__main__":
    sys.exit(main())
