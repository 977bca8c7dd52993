"""The language server: protocol, documents, surfaces, one inference thread."""
