// A linter for the tests: it has a problem with every call of `night`, from its start.
const vscode = require('vscode');

exports.activate = ({ subscriptions }) => {
  const problems = vscode.languages.createDiagnosticCollection('linter');
  const check = (document) => {
    const lines = document.getText().split('\n');
    const found = lines.flatMap((line, row) => [...line.matchAll(/night\(/g)].map(({ index }) => new vscode.Range(row, index, row, index + 5)));
    problems.set(document.uri, found.map((range) => new vscode.Diagnostic(range, 'it is dark')));
  };
  vscode.workspace.textDocuments.forEach(check);
  subscriptions.push(
    problems,
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
  );
};
