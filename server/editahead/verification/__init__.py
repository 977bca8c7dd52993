"""The check behind every source of edits: what would break code, or delete what the user did not, is refused."""
