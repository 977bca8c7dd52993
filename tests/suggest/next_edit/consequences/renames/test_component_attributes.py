"""Members that a component takes apart, «old>new», with its attributes, types and default values, ‹old>new›."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

ATTRIBUTES = {
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
}


@pytest.mark.parametrize("files", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_attributes_follow(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})
