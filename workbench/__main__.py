"""`python -m workbench` starts `vdiwb`, even if its folder is not on the PATH."""

import sys

# Python searches the current folder first. The current folder may contain files from others, so no module is loaded
# from there.
if not sys.flags.safe_path and not __file__.startswith(sys.path[0]):
    del sys.path[0]

from workbench.vdiwb import main

if __name__ == "__main__":
    sys.exit(main())
