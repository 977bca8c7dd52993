"""The real server: a function of the file is completed to a call with placeholders, if client and user want it."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from raw_client import over_stdio

TEXT = "def price(item, amount, *, currency):\n    return item * amount\n\n\ndef total(order):\n    return pri\n"
SNIPPETS = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}


@pytest.mark.slow
@pytest.mark.parametrize(("is_on", "capabilities"), [(True, SNIPPETS), (False, SNIPPETS), (True, {})])
def test_a_call_with_placeholders(is_on: bool, capabilities: dict[str, Any]) -> None:
    client = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    options = {"completionArguments": is_on, "completionDeadlineMs": 20_000}
    client.hello(capabilities=capabilities, initializationOptions=options)
    uri = client.open(TEXT, uri="file:///w/shop.py", language="python")
    items = client.request("textDocument/completion", client.at(uri, 5, 14))["items"]
    item = next(item for item in items if item["label"] == "price")
    if is_on and capabilities:
        assert item["insertTextFormat"] == 2
        assert item["textEdit"]["newText"] == "price(${1:item}, ${2:amount}, currency=${3:currency})$0"
        assert item["filterText"] == "price"
    else:
        assert "insertTextFormat" not in item
        assert item["textEdit"]["newText"] == "price"
    client.leave()
    assert client.faults == []
