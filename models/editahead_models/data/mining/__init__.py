"""From git histories to edits: file changes, versions of files, commits with what stayed as it was."""
