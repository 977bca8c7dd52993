"""Members that a component takes apart, «old>new», with its attributes, types and default values, ‹old>new›."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

ATTRIBUTES = {
    "a parameter of an interface": {
        "row.tsx": (
            "interface Props {\n  ‹label>title›: string;\n  size: number;\n}\n"
            "function Row({ «label>title», size }: Props) {\n"
            "  return <b id={‹label>title›}>{‹label>title›}</b>;\n}\n"
            'const a = <Row ‹label>title›="x" size={1} />;\nconst o = <Other label="x" />;\n'
        )
    },
    "a parameter of an arrow function": {
        "row.tsx": (
            "interface Props {\n  ‹label>title›: string;\n}\n"
            "const Row = ({ «label>title» }: Props) => <b>{‹label>title›}</b>;\n"
            'const a = <Row ‹label>title›="x"></Row>;\n'
        )
    },
    "a type that stands at the parameter": {
        "row.tsx": (
            "function Row({ «label>title» }: { ‹label>title›: string }) {\n"
            '  return <b>{‹label>title›}</b>;\n}\nconst a = <Row ‹label>title›="x" />;\n'
        )
    },
    "a parameter without a type": {
        "row.jsx": (
            "function Row({ «label>title», size = 1 }) {\n  return <b>{‹label>title›}</b>;\n}\n"
            'const label = 1;\nconst a = <Row ‹label>title›="x" />;\n'
            'const b = <Row ‹label>title›={label} />;\nconst o = <Other label="x" />;\n'
        )
    },
    "an arrow function without a type": {
        "row.jsx": (
            'export const Row = ({ «label>title» }) => <b>{‹label>title›}</b>;\nconst a = <Row ‹label>title›="x" />;\n'
        )
    },
    "an interface that a parameter takes apart": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "function Row({ ‹label>title: label› }: Props) {\n  return <b>{label}</b>;\n}\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "an interface": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\nfunction Row(props: Props) {\n"
            "  const { ‹label>title: label› } = props;\n"
            '  return <b>{label}{props.‹label>title›}</b>;\n}\nconst a = <Row ‹label>title›="x" />;\n'
        )
    },
    "the type of a component": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "const Row: React.FC<Props> = ({ ‹label>title: label› }) => <b>{label}</b>;\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "a parameter that the type of a component gives": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "const Row: FC<Props> = (props) => <b>{props.‹label>title›}</b>;\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "a wrapped function": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "const Row = memo(function Row({ ‹label>title: label› }: Props) {\n"
            '  return <b>{label}</b>;\n});\nconst a = <Row ‹label>title›="x" />;\n'
        )
    },
    "a type argument of a wrapper": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "const Row = React.memo<Props>(({ ‹label>title: label› }) => <b>{label}</b>);\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "the second type argument of a wrapper": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "const Row = React.forwardRef<HTMLElement, Props>(({ ‹label>title: label› }, ref) => "
            '<b>{label}</b>);\nconst a = <Row ‹label>title›="x" />;\n'
        )
    },
    "a wrapped function with a type": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "const Row = forwardRef(({ ‹label>title: label› }: Props, ref: Ref) => <b>{label}</b>);\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "a class": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "class Row extends React.Component<Props> {\n  render() {\n"
            "    const { ‹label>title: label› } = this.props;\n"
            "    return <b>{this.props.‹label>title›}</b>;\n  }\n}\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "a class with a state": {
        "row.tsx": (
            "type Props = { «label>title»: string };\nclass Row extends Component<Props, State> {\n"
            "  render() {\n    return <b>{this.props.‹label>title›}</b>;\n  }\n}\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "a default value and the rest": {
        "row.tsx": (
            "type Props = { ‹label>title›?: string };\n"
            'export default function Row({ «label>title» = "x", ...rest }: Props) {\n'
            "  return <b {...rest}>{‹label>title›}</b>;\n}\nconst a = <Row ‹label>title› />;\n"
        )
    },
    "a local name beside its key": {
        "row.tsx": (
            "type Props = { label: string };\nfunction Row({ label: «text>body» }: Props) {\n"
            '  return <b>{‹text>body›}</b>;\n}\nconst a = <Row label="x" text="y" />;\n'
        )
    },
    "a key beside its local name": {
        "row.tsx": (
            "type Props = { ‹label>title›: string };\n"
            "function Row({ «label>title»: text }: Props) {\n  return <b>{text}</b>;\n}\n"
            'const a = <Row ‹label>title›="x" />;\n'
        )
    },
    "an interface of another file": {
        "types.ts": "export interface Props {\n  «label>title»: string;\n}\n",
        "row.tsx": (
            'import { Props } from "./types";\n'
            "export function Row({ ‹label>title: label› }: Props) {\n  return <b>{label}</b>;\n}\n"
            'const a = <Row ‹label>title›="x" />;\n'
        ),
        "app.tsx": 'import { Row } from "./row";\nexport const App = () => <Row ‹label>title›="x" />;\n',
    },
    "a parameter, used in other files": {
        "row.tsx": (
            "interface Props {\n  ‹label>title›: string;\n}\n"
            "export function Row({ «label>title» }: Props) {\n  return <b>{‹label>title›}</b>;\n}\n"
        ),
        "app.tsx": (
            'import { Row } from "./row";\nconst label = 1;\nexport const App = () => <Row ‹label>title›={label} />;\n'
        ),
        "o.tsx": 'import { Row } from "./other";\nexport const App = () => <Row label={label} />;\n',
    },
    "a default import": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "export default function Row({ ‹label>title: label› }: Props) {\n"
            "  return <b>{label}</b>;\n}\n"
        ),
        "app.tsx": 'import Row from "./row";\nexport const App = () => <Row ‹label>title›="x" />;\n',
    },
    "a default import under another name": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "export default function Row({ ‹label>title: label› }: Props) {\n"
            "  return <b>{label}</b>;\n}\n"
        ),
        "app.tsx": 'import Line from "./row";\nexport const App = () => <Line ‹label>title›="x" />;\n',
    },
    "an import under another name": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "export function Row({ ‹label>title: label› }: Props) {\n  return <b>{label}</b>;\n}\n"
        ),
        "app.tsx": ('import { Row as Line } from "./row";\nexport const App = () => <Line ‹label>title›="x" />;\n'),
    },
    "an import of the module": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "export function Row({ ‹label>title: label› }: Props) {\n  return <b>{label}</b>;\n}\n"
        ),
        "app.tsx": ('import * as rows from "./row";\nexport const App = () => <rows.Row ‹label>title›="x" />;\n'),
    },
    "a default export of its own": {
        "row.tsx": (
            "interface Props {\n  «label>title»: string;\n}\n"
            "const Row = ({ ‹label>title: label› }: Props) => <b>{label}</b>;\nexport default Row;\n"
        ),
        "app.tsx": 'import Row from "./row";\nexport const App = () => <Row ‹label>title›="x" />;\n',
    },
    "a parameter without a type, used in other files": {
        "row.jsx": "export function Row({ «label>title» }) {\n  return <b>{‹label>title›}</b>;\n}\n",
        "app.jsx": (
            'import { Row } from "./row";\nconst label = 1;\n'
            "export const App = () => <Row ‹label>title›={label} {...props} />;\n"
        ),
        "o.jsx": 'import { Row } from "./other";\nexport const App = () => <Row label={label} />;\n',
    },
    "a default export without a type": {
        "row.jsx": "export default function Row({ «label>title» }) {\n  return <b>{‹label>title›}</b>;\n}\n",
        "app.jsx": (
            'import Row from "./row";\nconst label = 1;\n'
            "export const App = () => <Row ‹label>title›={label} {...props} />;\n"
        ),
    },
}
OTHERS = {
    "another component": {
        "a.tsx": (
            "type A = { ‹label>title›: string };\ntype B = { label: string };\n"
            "const Row = ({ «label>title» }: A) => <b>{‹label>title›}</b>;\n"
            "const Col = ({ label }: B) => <i>{label}</i>;\n"
            'const x = <><Row ‹label>title›="1" /><Col label="2" /></>;\n'
        )
    },
    "a shadowed component": {
        "a.jsx": (
            "const Row = ({ «label>title» }) => <b>{‹label>title›}</b>;\nfunction f(Row) {\n"
            '  return <Row label="1" />;\n}\nconst x = <Row ‹label>title›="1" />;\n'
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
    "an element of the markup": {
        "a.jsx": (
            'const Row = ({ «title>name» }) => <b title={‹title>name›}><i title="x" /></b>;\n'
            'const x = <Row ‹title>name›="1" />;\n'
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
    "options": {
        "a.js": (
            "function load({ «url>address», retry = 1 }) {\n"
            '  return fetch(‹url>address›, { url: 1 });\n}\nload({ ‹url>address›: "/" });\n'
            "const url = 1;\nload({ ‹url>address: url›, retry: 2 });\nsave({ url });\n"
        )
    },
    "options of two functions": {
        "a.js": (
            "function load({ «url>address» }) {\n  return ‹url>address›;\n}\n"
            "function save({ url }) {\n  load({ ‹url>address: url› });\n  return url;\n}\n"
            "save({ url: 1 });\n"
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
    "another component of another file": {
        "row.jsx": (
            "export function Row({ «label>title» }) {\n  return <b>{‹label>title›}</b>;\n}\n"
            "export function Col({ label }) {\n  return <b>{label}</b>;\n}\n"
        ),
        "app.jsx": (
            'import { Row, Col } from "./row";\n'
            'const x = <><Row ‹label>title›="1" /><Col label="1" /></>;\nRow.label;\n'
        ),
    },
    "two imports of a name": {
        "row.jsx": "export function Row({ «label>title» }) {\n  return <b>{‹label>title›}</b>;\n}\n",
        "app.jsx": (
            'import { Row as Line } from "./row";\nimport { Row } from "./other";\n'
            'const x = <><Line ‹label>title›="1" /><Row label="1" /></>;\n'
        ),
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
    "a wrapped default export": {
        "row.jsx": (
            "function Row({ «label>title» }) {\n  return <b>{‹label>title›}</b>;\n}\nexport default React.memo(Row);\n"
        ),
        "app.jsx": 'import Line from "./row";\nconst x = <Line ‹label>title›="1" />;\n',
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
    "a wrapped callback": {
        "a.js": ("const load = useCallback(({ «url>address» }) => ‹url>address›, []);\nload({ ‹url>address›: 1 });\n")
    },
}


@pytest.mark.parametrize("files", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_attributes_follow(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
def test_attributes_of_others_stay(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})
