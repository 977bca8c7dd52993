"""What git would ignore: its pattern files and their precedence, read without running git."""
