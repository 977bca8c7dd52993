"""The published figures of the product: measured on projects that nothing was chosen on, with a ledger of the reads."""
