"""Classes that other files of a project declare: where they are, and which members they have."""
