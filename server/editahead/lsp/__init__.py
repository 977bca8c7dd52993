"""The language server: protocol, documents, surfaces, a single inference thread."""
