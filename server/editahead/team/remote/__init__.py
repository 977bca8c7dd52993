"""The laptop's side: requests go to the team server with a time budget, and are answered locally if it fails."""
