"""Exit status of `vdiwb`: all well; done, but some files were not imported; usage; nothing recognised; a limit failed.
Cheap to import.
"""

from __future__ import annotations

OK, SOME_REFUSED, USAGE, NOTHING, LIMIT_FAILED = 0, 1, 2, 3, 4
