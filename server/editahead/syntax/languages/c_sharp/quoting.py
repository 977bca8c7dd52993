"""C#: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.quote_patterns import CHARACTER, DOUBLE, StringPatterns

STRING_PATTERNS = StringPatterns(
    (
        rb'\$*""".*?(?:"""+|\Z)',
        rb'(?:\$@|@\$|@)"[^"]*(?:""[^"]*)*(?:"|\Z)',
        rb"\$?" + DOUBLE,
        CHARACTER,
    )
)
