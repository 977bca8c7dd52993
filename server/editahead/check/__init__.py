"""What a diff probably forgot."""
