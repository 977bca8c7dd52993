"""The rules of names of each language that has them."""

from editahead.analysis.resolver.scope_table import ScopeTable
from editahead.analysis.resolver.tables.java import JAVA
from editahead.analysis.resolver.tables.python import PYTHON

TABLES: dict[str, ScopeTable] = {"python": PYTHON, "java": JAVA}
