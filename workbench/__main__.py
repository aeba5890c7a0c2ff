"""`python -m workbench`: the console `vdiwb`, also where the folder of the commands is not on the PATH."""

import sys

# Python puts the current folder first, where files of others may lie: no module of the program is loaded from there.
if not sys.flags.safe_path and not __file__.startswith(sys.path[0]):
    del sys.path[0]

from workbench.vdiwb import main

if __name__ == "__main__":
    sys.exit(main())
