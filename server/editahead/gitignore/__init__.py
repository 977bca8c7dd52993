"""Files that git ignores, decided from its pattern files and their precedence without running git."""
