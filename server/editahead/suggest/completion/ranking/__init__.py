"""One ranking of all candidates of a completion: the slot, what is in scope, features, and the scores of a network."""
