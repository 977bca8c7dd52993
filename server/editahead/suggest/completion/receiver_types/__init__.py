"""Types of the expressions before a dot, inferred from the text around and from other files."""
