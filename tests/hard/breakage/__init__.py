"""Whether shown edits break code: edits as people make them, and programs of others that judge what follows."""
