"""Members that a component takes apart, «old>new», beside other components, options and patterns, ‹old>new›."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

OTHERS = {
    "a comparison beside a component": {
        "a.tsx": (
            "interface A {\n  «label>title»: string;\n}\n"
            "const Row = memo<A>(({ ‹label>title: label› }) => <b>{label}</b>, (a, b) => a.label === b.label);\n"
            'const x = <Row ‹label>title›="1" />;\n'
        )
    },
    "a name that the interface has": {
        "a.tsx": (
            "type A = { label: string; title: string };\n"
            "const Row = ({ «label>title» }: A) => <b>{‹label>title›}</b>;\n"
            'const x = <Row label="1" title="2" />;\n'
        )
    },
    "a name that the pattern has": {
        "a.jsx": ('const Row = ({ «label>title», title }) => <b>{label}</b>;\nconst x = <Row label="1" title="2" />;\n')
    },
    "a use keeps the attribute": {
        "a.tsx": (
            "type A = { label: string };\n"
            "const Row = ({ ‹label>label: title› }: A) => <b>{«label>title»}{‹label>title›}</b>;\n"
            'const x = <Row label="1" />;\n'
        )
    },
    "a use keeps the attribute without a type": {
        "a.jsx": (
            "const Row = ({ ‹label>label: title› }) => <b>{«label>title»}{‹label>title›}</b>;\n"
            'const x = <Row label="1" />;\n'
        )
    },
    "a pattern inside of a literal": {
        "a.tsx": (
            "interface Props { «label>title»: string }\nconst p: Props = { ‹label>title›: f(({ label }) => label) };\n"
        )
    },
    "a loop inside of a literal": {
        "a.tsx": (
            "interface Props { «label>title»: string; m(): void }\n"
            'const p: Props = { ‹label>title›: "a", m() { for (const { label } of xs) log(label); } };\n'
        )
    },
    "an error inside of a literal": {
        "a.tsx": (
            "interface Props { «label>title»: string; m(): void }\n"
            'const p: Props = { ‹label>title›: "a", m() { try { } catch ({ label }) { log(label); } } };\n'
        )
    },
    "a function inside of a tag": {
        "a.tsx": (
            "interface Props { «label>title»: string; on: any }\n"
            "function Row(p: Props) { return p.‹label>title›; }\n"
            'const x = <Row ‹label>title›="a" on={({ label }) => label} />;\n'
        )
    },
    "elements that are taken apart": {
        "a.ts": (
            "interface Item { «name>title»: string }\nfunction f(items: Item[], os: Other[]) {\n"
            "  for (const { ‹name>title: name› } of items) log(name);\n"
            "  for (const { name } of os) log(name);\n"
            "  items.map(({ ‹name>title: name› }) => name);\n  os.map(({ name }) => name);\n}\n"
        )
    },
    "a pattern inside of a pattern": {
        "a.jsx": (
            "const Row = ({ item: { «label>title» } }) => <b>{‹label>title›}</b>;\n"
            'const x = <Row label="1" item={{ label: 2 }} />;\n'
        )
    },
    "a pattern of a sequence": {
        "a.js": "const f = ([«label>title»]) => ‹label>title›;\nf([label]);\nf({ label: 1 });\n"
    },
    "an interface of an unknown file": {
        "row.tsx": (
            'import { Props } from "./nowhere";\nexport function Row({ «label>title» }: Props) {\n'
            "  return <b>{‹label>title›}</b>;\n}\n"
        ),
        "app.tsx": 'import { Row } from "./row";\nconst x = <Row label="1" />;\n',
    },
    "another default export": {
        "row.jsx": (
            "export function Row({ «label>title» }) {\n  return <b>{‹label>title›}</b>;\n}\n"
            "export default function Col({ label }) {\n  return label;\n}\n"
        ),
        "app.jsx": 'import Line from "./row";\nconst x = <Line label="1" />;\n',
    },
    "the default export of another module": {
        "row.jsx": "export default function Row({ «label>title» }) {\n  return <b>{‹label>title›}</b>;\n}\n",
        "app.jsx": 'import Line from "./rows";\nconst x = <Line label="1" />;\n',
    },
    "attributes behind a spread": {
        "a.tsx": (
            "interface P { «label>title»: string }\nfunction Row(p: P) { return null; }\n"
            "const label = 1;\nconst a = <Row {...p} ‹label>title›={label} />;\n"
            "const b = <Row {...{ label }} />;\n"
        )
    },
    "an inherited member": {
        "a.tsx": (
            "interface Base { «label>title»: string }\ninterface P extends Base { x: number }\n"
            "function Row({ ‹label>title: label›, x }: P) { return label; }\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "type parameters": {
        "a.tsx": (
            "interface P<T> { «label>title»: T }\n"
            "function Row<T>({ ‹label>title: label› }: P<T>) { return label; }\n"
            'const a = <Row<string> ‹label>title›="x" />;\nconst b = <Row ‹label>title›="x" />;\n'
        )
    },
    "types around the interface": {
        "a.tsx": (
            "interface P { «label>title»: string }\n"
            "function Row({ ‹label>title: label› }: Readonly<P>) { return label; }\n"
            "function Col({ ‹label>title: label› }: PropsWithChildren<P>) { return label; }\n"
            "function Cell({ ‹label>title: label› }: React.PropsWithChildren<P>) { return label; }\n"
            "function D({ ‹label>title: label› }: Partial<P>) { return label; }\n"
            "function E({ ‹label>title: label› }: Omit<P, 'x'>) { return label; }\n"
        )
    },
    "a member that a base of another file may have": {
        "a.ts": (
            "interface P extends Other { label: string }\nfunction f({ «label>title» }: P) {\n"
            "  log(‹label>title›);\n}\nf({ label: 1 });\n"
        )
    },
    "a type inside of the type of a component": {
        "a.tsx": (
            "const Row: React.FC<{ «label>title»: string }> = ({ ‹label>title: label› }) => <b>{label}</b>;\n"
            "const a = <Row ‹label>title›='x' />;\n"
        )
    },
}


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
def test_attributes_of_others_stay(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})
