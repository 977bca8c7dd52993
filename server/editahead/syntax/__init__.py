"""Trees and tokens, lazy and incremental; languages and their grammars."""
