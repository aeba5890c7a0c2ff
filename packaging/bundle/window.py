"""The bundle's `vdi-workbench`."""

import sys

from workbench.gui.shell.start import main

if __name__ == "__main__":
    sys.exit(main())
