"""The synthetic edit suite.

Source: Zhao, Bieber, Swersky, Tarlow, "Neural networks for modeling source code edits" (2019).
"""
