"""The command `nearprint`: the same code as the binary."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Run the command with the arguments of the process; returns its exit status."""
    # The command takes signals for itself: Python's handler would wait for the main thread.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from nearprint import _native

    return _native.run(["nearprint", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
