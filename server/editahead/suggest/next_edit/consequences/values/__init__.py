"""Values that the user gives a name, and the expressions that still have that value."""
