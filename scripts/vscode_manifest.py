"""Write the server's settings into editors/vscode/package.json: `python scripts/vscode_manifest.py`.

They come from server/editahead/settings.py; everything else in the manifest stays as it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from editahead.settings_doc import configuration_properties

MANIFEST = Path(__file__).resolve().parents[1] / "editors" / "vscode" / "package.json"
TITLE = "Predictions"  # of the part that is written here


def with_settings(manifest: dict[str, Any]) -> dict[str, Any]:
    """The manifest with the server's settings as they are now."""
    for part in manifest["contributes"]["configuration"]:
        if part["title"] == TITLE:
            part["properties"] = configuration_properties()
    return manifest


def written(manifest: dict[str, Any]) -> str:
    """The manifest's file."""
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    MANIFEST.write_text(written(with_settings(json.loads(MANIFEST.read_text(encoding="utf-8")))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
