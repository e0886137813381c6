"""``python -m tools.lint``: exit 0 if every house rule is kept."""

import sys
from pathlib import Path

from tools.lint.runner import main

sys.exit(main(Path(__file__).parents[2]))
