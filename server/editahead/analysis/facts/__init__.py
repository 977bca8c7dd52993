"""What a walk over the syntax of a file reads of its names: facts of one piece of text, kept while that stands."""
