"""The exported models that ship."""
