"""The server's side: many clients, each with its documents, on the replicas of a Ray Serve deployment."""
