"""What a release consists of: `python -m scripts.release --help`."""
