"""Span copying: a model that rewrites a sequence by generating tokens and by copying whole spans of its input.

Panthaplackel, Allamanis and Brockschmidt, "Copy that! Editing sequences by copying spans", AAAI 2021.
"""
