// A language's own extension for the tests: offers every word of the document, with a type, in its own order.
const vscode = require('vscode');

exports.activate = () =>
  vscode.languages.registerCompletionItemProvider('python', {
    provideCompletionItems(document, position) {
      const typed = document.getText(document.getWordRangeAtPosition(position));
      const words = new Set(document.getText().match(/[A-Za-z_]\w+/g));
      return [...words].filter((word) => word !== typed).map((word) => {
        const item = new vscode.CompletionItem(word, vscode.CompletionItemKind.Variable);
        item.detail = 'of the other extension';
        item.sortText = `09.9999.${word}`;
        return item;
      });
    },
  });
