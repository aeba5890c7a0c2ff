"""`python -m workbench`: the console `vdiwb`, also where the folder of the commands is not on the PATH."""

import sys

from workbench.vdiwb import main

if __name__ == "__main__":
    sys.exit(main())
