"""Golden answers: what the product answers on dev projects, recorded before and after a change of its structure."""
