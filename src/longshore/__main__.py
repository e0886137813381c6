"""``python -m longshore`` is the command ``longshore``."""

from longshore.cli.main import run

if __name__ == "__main__":
    run()
