"""`python -m workbench.gui`: the window."""

import sys

from workbench.gui.shell.start import main

if __name__ == "__main__":
    sys.exit(main())
