"""The bundle's `vdiwb`."""

import sys

from workbench.vdiwb import main

if __name__ == "__main__":
    sys.exit(main())
