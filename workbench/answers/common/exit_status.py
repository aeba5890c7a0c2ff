"""Exit status of `vdiwb`: all well; done, but some files were refused; usage; nothing recognised; a limit failed. Light
to import."""

from __future__ import annotations

OK, SOME_REFUSED, USAGE, NOTHING, LIMIT_FAILED = 0, 1, 2, 3, 4
