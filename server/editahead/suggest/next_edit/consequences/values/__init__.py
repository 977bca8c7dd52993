"""Values that the user gives a name: where the same expression still has that value."""
