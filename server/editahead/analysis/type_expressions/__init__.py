"""What the text of a program says about the types of names, independent of any language."""
