"""Write the server's settings into editors/vscode/package.json: `python -m scripts.vscode_manifest`.

They come from server/editahead/settings.py; everything else in the manifest stays as it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from scripts.settings_doc import configuration_properties

MANIFEST = Path(__file__).resolve().parents[1] / "editors" / "vscode" / "package.json"
TITLE, ADVANCED = "Predictions", "Advanced"  # of the parts that are written here
# Most used first; what is not named here is advanced. Without an order, Visual Studio Code sorts by name.
FIRST = (
    "preset", "precision", "enabled", "languages", "inlineCompletion", "completion", "nextEdit", "suggestFixes",
    "writeBodies", "inComments", "inStrings", "exclude", "secrets", "respectGitignore", "index.enabled",
    "snoozeMinutes", "memory",
)  # fmt: skip


def with_settings(manifest: dict[str, Any]) -> dict[str, Any]:
    """The manifest with the server's settings as they are now."""
    properties = configuration_properties()
    first = [f"editahead.{key}" for key in FIRST]
    keys = {TITLE: first, ADVANCED: [key for key in properties if key not in first]}
    for position, part in enumerate(manifest["contributes"]["configuration"]):
        part["order"] = position
        if part["title"] in keys:
            part["properties"] = {key: properties[key] for key in keys[part["title"]]}
        for number, schema in enumerate(part["properties"].values()):
            schema["order"] = number
    return manifest


def written(manifest: dict[str, Any]) -> str:
    """The manifest's file."""
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write the settings into the manifest of the extension."""
    MANIFEST.write_text(written(with_settings(json.loads(MANIFEST.read_text(encoding="utf-8")))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
