"""Classes of TypeScript that other modules hand on, under other names, and by paths that are not relative."""

from __future__ import annotations

import pytest

from tests.suggest.completion.ranking.project_evidence import Evidence

BOX = {"lib/box.ts": "export class Box { width = 1 }\nexport default class Own { own = 1 }\n"}
HIDDEN = {"lib/box.ts": "class Box { width = 1 }\nexport { Box as Crate };\nexport default Box;\n"}
SRC = {"src/lib/box.ts": "export class Box { width = 1 }\n"}
USE = "\nfunction f(b: Box) {\n  b.‸\n}\n"
SHOP = {
    **BOX,
    "lib/shop.ts": (
        "import { Box } from './box';\nexport class Shop {\n  boxes: Box[];\n  named: Map<string, Box>;\n"
        "  main: Box | undefined;\n  async load(): Promise<Box[]> {}\n  async one(): Promise<Box> {}\n}\n"
    ),
}
PATHS = (
    '{\n  // for the editor\n  "compilerOptions": {\n'
    '    "paths": {"@/*": ["./src/*"], "@/lib/*": ["./none/*"],},\n  },\n}\n'
)
SHOP_USE = "import {{ Shop }} from './lib/shop';\nasync function f(s: Shop) {{\n  {}\n}}\n"
MEMBERS = {
    "of a field that is given in the constructor": (
        BOX,
        "import { Box } from './lib/box';\nclass A {\n  b: Box;\n  constructor(a: A) {\n    this.b = a.b;\n  }\n"
        "  m() {\n    this.b.‸\n  }\n}\n",
        {"width"},
    ),
    "of elements": (SHOP, SHOP_USE.format('s.boxes[0].‸'), {"width"}),
    "of elements that are visited": (SHOP, SHOP_USE.format('s.boxes.map((b) => b.‸);'), {"width"}),
    "of elements that are looked for": (SHOP, SHOP_USE.format('s.boxes.find((b) => b).‸'), {"width"}),
    "of values": (SHOP, SHOP_USE.format("s.named.get('a').‸"), {"width"}),
    "of what is awaited": (SHOP, SHOP_USE.format('(await s.one()).‸'), {"width"}),
    "of what is awaited, in a variable": (SHOP, SHOP_USE.format('const b = await s.one();\n  b.‸'), {"width"}),
    "of elements of what is awaited": (SHOP, SHOP_USE.format('const all = await s.load();\n  all[0].‸'), {"width"}),
    "of elements of a loop": (SHOP, SHOP_USE.format('for (const b of s.boxes) {\n    b.‸\n  }'), {"width"}),
    "of elements of a part": (
        SHOP, SHOP_USE.format("const some = s.boxes.filter(f);\n  for (const b of some) {\n    b.‸\n  }"), {"width"},
    ),
    "of what is not empty": (SHOP, SHOP_USE.format('s.main!.‸'), {"width"}),
    "of a value": (SHOP, SHOP_USE.format('const b = s.main;\n  b.‸'), {"width"}),
    "of a list": (SHOP, SHOP_USE.format('s.boxes.‸'), None),
    "of a promise": (SHOP, SHOP_USE.format('s.one().‸'), None),
    "of a member of a base": (
        SHOP,
        "import { Shop } from './lib/shop';\nclass Store extends Shop {\n  m() {\n    this.main.‸\n  }\n}\n", {"width"},
    ),
    "by another name": (BOX, "import { Box as B } from './lib/box';\nfunction f(b: B) {\n  b.‸\n}\n", {"width"}),
    "of the type alone": (BOX, "import { type Box } from './lib/box';" + USE, {"width"}),
    "of types alone": (BOX, "import type { Box } from './lib/box';" + USE, {"width"}),
    "of a default": (BOX, "import Any, { Box } from './lib/box';\nfunction f(b: Any) {\n  b.‸\n}\n", {"own"}),
    "of a default that is named before": (HIDDEN, "import Box from './lib/box';" + USE, {"width"}),
    "of a name that is handed on under another one": (
        HIDDEN, "import { Crate as Box } from './lib/box';" + USE, {"width"},
    ),
    "of a module as a whole": (
        BOX, "import * as lib from './lib/box';\nfunction f(b: lib.Box) {\n  b.‸\n}\n", {"width"},
    ),
    "of a folder that hands on a name": (
        {**BOX, "lib/index.ts": "export { Box } from './box';\n"}, "import { Box } from './lib';" + USE, {"width"},
    ),
    "of a folder that hands on all names": (
        {**BOX, "lib/index.ts": "export * from './none';\nexport * from './deep';\n",
         "lib/deep/index.ts": "export * from '../box'\n"},
        "import { Box } from './lib';" + USE, {"width"},
    ),
    "of a folder that takes a name and exports it": (
        {**BOX, "lib/index.ts": "import { Box as B } from './box';\nexport { B as Box };\n"},
        "import { Box } from './lib';" + USE, {"width"},
    ),
    "of a folder that hands on a default": (
        {**HIDDEN, "lib/index.ts": "export { default as Box } from './box';\n"},
        "import { Box } from './lib';" + USE, {"width"},
    ),
    "of no name that a folder hands on under another one": (
        {**BOX, "lib/index.ts": "export { Box as Other } from './box';\n"}, "import { Box } from './lib';" + USE, None,
    ),
    "by a path of the configuration": (
        {**SRC, "tsconfig.json": PATHS}, "import { Box } from '@/lib/box';" + USE, None,
    ),
    "by the longest path that fits": (
        {**SRC, "tsconfig.json": PATHS.replace("./none/", "./src/lib/")},
        "import { Box } from '@/lib/box';" + USE, {"width"},
    ),
    "by a path of a configuration that is extended": (
        {**SRC, "tsconfig.json": '{"extends": "./config/base"}',
         "config/base.json": '{"compilerOptions": {"baseUrl": "..", "paths": {"lib/*": ["src/lib/*"]}}}'},
        "import { Box } from 'lib/box';" + USE, {"width"},
    ),
    "by a path of a configuration that is referred to": (
        {**SRC, "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
         "tsconfig.app.json": '{"compilerOptions": {"paths": {"~box": ["./src/lib/box.ts"]}}}'},
        "import { Box } from '~box';" + USE, {"width"},
    ),
    "by a path below a folder": (
        {**SRC, "jsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}'},
        "import { Box } from 'lib/box';" + USE, {"width"},
    ),
    "of a package of the repository": (
        {"packages/boxes/package.json": '{"name": "@a/boxes"}',
         "packages/boxes/src/index.ts": "export * from './box';\n",
         "packages/boxes/src/box.ts": "export class Box { width = 1 }\n"},
        "import { Box } from '@a/boxes';" + USE, {"width"},
    ),
    "of a module of a package that is called otherwise": (
        {"packages/x1/package.json": '{"name": "boxes"}', "packages/x1/src/box.ts": "export class Box { width = 1 }\n"},
        "import { Box } from 'boxes/box';" + USE, {"width"},
    ),
    "of no package of others": (SRC, "import { Box } from 'boxes';" + USE, None),
}  # fmt: skip


@pytest.mark.parametrize(("files", "text", "members"), MEMBERS.values(), ids=MEMBERS)
def test_members_of_other_modules_are_known(
    evidence: Evidence, files: dict[str, str], text: str, members: set[str] | None
) -> None:
    assert evidence(files, "main.ts", text)[0] == members


@pytest.mark.parametrize(
    "text", ["", "{", '{"compilerOptions": {"paths": []}}', '{"compilerOptions": {"paths": {"@/*": 3}}}', "[]"]
)
def test_a_broken_configuration_leads_nowhere(evidence: Evidence, text: str) -> None:
    assert evidence({**SRC, "tsconfig.json": text}, "main.ts", "import { Box } from '@/lib/box';" + USE)[0] is None


def test_modules_that_hand_on_one_another_end(evidence: Evidence) -> None:
    files = {f"m{n}.ts": "".join(f"export * from './m{other}';\n" for other in range(40)) for n in range(40)}
    assert evidence(files, "main.ts", "import { Box } from './m0';" + USE)[0] is None


def test_configurations_that_extend_one_another_end(evidence: Evidence) -> None:
    files = {"tsconfig.json": '{"extends": "./b.json"}', "b.json": '{"extends": "./tsconfig.json"}', **SRC}
    assert evidence(files, "main.ts", "import { Box } from '@/lib/box';" + USE)[0] is None
