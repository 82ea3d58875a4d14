"""`python -m nearprint`: the command."""

import sys

from nearprint._cli import main

sys.exit(main())
