"""`python -m editahead` is the command `editahead`."""

from editahead.cli.main import main

if __name__ == "__main__":
    main()
