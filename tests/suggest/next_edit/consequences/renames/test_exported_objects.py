"""Renamed members of exported object literals, «old>new», with their uses in other files, ‹old>new›."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

OBJECTS = {
    "by its name": {
        "api{ext}": "export const api = {\n  «load>fetchAll»(a) { return a; },\n  size: 1,\n};\n",
        "use{ext}": (
            'import { api } from "./api";\napi.‹load>fetchAll›(api.size);\nother.load();\n'
            "function f(api) { api.load(); }\n"
        ),
    },
    "under another name": {
        "api{ext}": "export const api = {\n  «load>fetchAll»(a) { return a; },\n  size: 1,\n};\n",
        "use{ext}": 'import { api as a } from "./api";\na.‹load>fetchAll›(1);\n',
    },
    "of the module": {
        "api{ext}": "export const api = {\n  «load>fetchAll»(a) { return a; },\n  size: 1,\n};\n",
        "use{ext}": 'import * as m from "./api";\nm.api.‹load>fetchAll›(1);\nm.load();\n',
    },
    "taken apart": {
        "api{ext}": "export const api = {\n  «load>fetchAll»(a) { return a; },\n  size: 1,\n};\n",
        "use{ext}": 'import { api } from "./api";\nconst { ‹load>fetchAll: load›, size } = api;\nload();\n',
    },
    "taken apart under another name": {
        "api{ext}": "export const api = {\n  «load>fetchAll»(a) { return a; },\n  size: 1,\n};\n",
        "use{ext}": 'import { api } from "./api";\nconst { ‹load>fetchAll›: l } = api;\nl();\n',
    },
    "of another module": {
        "api{ext}": "export const api = {\n  «load>fetchAll»(a) { return a; },\n  size: 1,\n};\n",
        "use{ext}": 'import { api } from "./other";\napi.load(1);\n',
    },
    "exported in a list": {
        "api{ext}": "const api = {\n  «load>fetchAll»: 1,\n};\nexport { api };\n",
        "use{ext}": 'import { api } from "./api";\napi.‹load>fetchAll›(1);\n',
    },
    "a default export": {
        "api{ext}": "const api = {\n  «load>fetchAll»: 1,\n};\nexport default api;\n",
        "use{ext}": 'import api from "./api";\napi.‹load>fetchAll›(1);\n',
    },
    "a default export under another name": {
        "api{ext}": "const api = {\n  «load>fetchAll»: 1,\n};\nexport default api;\n",
        "use{ext}": 'import client from "./api";\nclient.‹load>fetchAll›(1);\n',
    },
    "a default export without a name": {
        "api{ext}": "export default {\n  «load>fetchAll»: 1,\n};\n",
        "use{ext}": 'import client from "./api";\nclient.‹load>fetchAll›(1);\n',
    },
    "the default export of a module": {
        "api{ext}": "export default {\n  «load>fetchAll»: 1,\n};\n",
        "use{ext}": 'import * as c from "./api";\nc.default.‹load>fetchAll›(1);\nc.load();\n',
    },
    "one that is replaced": {
        "api{ext}": "export let api = {\n  «load>fetchAll»: 1,\n};\napi = other();\n",
        "use{ext}": 'import { api } from "./api";\napi.load(1);\n',
    },
    "beside a function of the name": {
        "api{ext}": "export function load() {}\nexport const api = {\n  «load>fetchAll»: 1,\n};\n",
        "use{ext}": 'import { api, load } from "./api";\nload();\napi.‹load>fetchAll›(1);\n',
    },
    "a frozen object": {
        "api{ext}": ("export const Color = Object.freeze({\n  «Red>Crimson»: 1,\n});\nuse(Color.‹Red>Crimson›);\n"),
        "use{ext}": 'import { Color } from "./api";\nuse(Color.‹Red>Crimson›);\n',
    },
    "a member with a value": {
        "api{ext}": "function load() {}\nexport const api = { «load>fetchAll»: load };\n",
        "use{ext}": 'import { api } from "./api";\napi.‹load>fetchAll›();\n',
    },
}
OTHERS = {
    "constants": {
        "api.ts": "export const Color = {\n  «Red>Crimson»: 1,\n} as const;\nuse(Color.‹Red>Crimson›);\n",
        "use.ts": 'import { Color } from "./api";\nuse(Color.‹Red>Crimson›);\n',
    },
    "a required object": {
        "api.js": "const api = {\n  «load>fetchAll»: 1,\n};\nmodule.exports = api;\n",
        "use.js": 'const api = require("./api");\napi.‹load>fetchAll›(1);\n',
    },
    "accessors and an import of the same name": {
        "a.ts": ("export const api = {\n  get «load>fetch»() { return this.x; },\n  set ‹load>fetch›(v) {},\n};\n"),
        "b.ts": (
            'import { api as load } from "./a";\nload.‹load>fetch› = 1;\nconst o = { load: load.‹load>fetch› };\n'
        ),
    },
    "a shadowed import": {
        "a.ts": "export const api = {\n  «load>fetch»() {},\n};\n",
        "b.ts": (
            'import { api } from "./a";\n'
            "function f(api: Other) { api.load(); const { load } = api; }\n"
            "{ const api = g(); api.load(); }\napi.‹load>fetch›();\n"
        ),
    },
    "an object inside of a function": {
        "a.ts": (
            "export function f() {\n  const api = {\n    «load>fetch»() {},\n  };\n  return api.‹load>fetch›;\n}\n"
        ),
        "b.ts": 'import { api } from "./a";\napi.load();\n',
    },
    "an object inside of an object": {
        "a.ts": "export const api = {\n  users: {\n    «load>fetch»() {},\n  },\n};\n",
        "b.ts": 'import { api } from "./a";\napi.load();\n',
    },
    "an object with a type": {
        "a.ts": 'import { Api } from "./c";\nexport const api: Api = {\n  «load>fetch»() {},\n};\n',
        "b.ts": 'import { api } from "./a";\napi.load();\n',
    },
    "an import from between": {
        "a.ts": "export const api = {\n  «load>fetch»() {},\n};\n",
        "i.ts": 'export { api } from "./a";\n',
        "b.ts": 'import { api } from "./i";\napi.‹load>fetch›();\n',
    },
    "a name in a comment": {
        "a.ts": "export const api = {\n  «load>fetch»() {},\n};\n",
        "b.ts": '// api as client\nimport { x } from "./a";\nconst client = x as api;\nclient.load();\n',
    },
    "an object inside of an object of the file": {
        "a.ts": (
            "const api = {\n  users: {\n    «load>fetch»() {},\n  },\n  load: 1,\n};\n"
            "api.users.‹load>fetch›(api.load);\nconst { ‹load>fetch: load› } = api.users;\n"
            "other.users.load();\n"
        )
    },
    "an object inside of an object elsewhere": {
        "a.ts": "export const api = {\n  users: {\n    «load>fetch»() {},\n  },\n  load: 1,\n};\n",
        "b.ts": (
            'import { api } from "./a";\napi.users.‹load>fetch›(api.load);\n'
            "const { ‹load>fetch: load› } = api.users;\nother.users.load();\nconst { users } = api;\n"
        ),
    },
    "an object inside of an object that is replaced": {
        "a.ts": ("const api = {\n  users: {\n    «load>fetch»() {},\n  },\n};\napi.users = other;\napi.users.load();\n")
    },
}


@pytest.mark.parametrize("extension", [".ts", ".js"])
@pytest.mark.parametrize("files", OBJECTS.values(), ids=OBJECTS)
def test_members_of_exported_objects_follow(files: dict[str, str], extension: str) -> None:
    assert_follows({f"file:///w/{name.format(ext=extension)}": text for name, text in files.items()})


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
def test_members_of_further_objects(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})


@pytest.mark.parametrize(
    ("home", "other"),
    [
        (
            "export const api = {\n  «load>fetch»() {},\n};\nexport default { load() {} };\n",
            'import api from "./api";\napi.load();\n',
        ),
        (
            'import { Theme } from "./theme";\nexport const api = { «load>fetch»: 1 } satisfies Theme;\n',
            'import { api } from "./api";\napi.load;\n',
        ),
        (
            "/*\nexport default api;\n*/\nexport default other;\nexport const api = {\n  «load>fetch»() {},\n};\n",
            'import line from "./api";\nline.load();\n',
        ),
    ],
    ids=["a default import of the same name", "members of a type", "an export in a comment"],
)
def test_objects_of_other_exports_stay(home: str, other: str) -> None:
    assert_follows({"file:///w/api.ts": home, "file:///w/use.ts": other})
