"""Settings of the shop."""


class Settings:
    def __init__(self, currency, decimals):
        self._currency = currency
        self._decimals = decimals

    @property
    def currency(self):
        """The currency of all prices."""

    @property
    def decimals(self):
        """Decimals of a price."""
        return self._decimals
