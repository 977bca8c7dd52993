"""Types of names as the text of a program gives them, independent of any language."""
