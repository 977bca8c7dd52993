"""What the commands print: text and JSON."""
