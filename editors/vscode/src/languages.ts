/** Languages of the documents that the server is told of. Written by scripts/editor_languages.py. */
export const LANGUAGES = ['python', 'java', 'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'go', 'rust', 'csharp', 'c', 'cpp', 'markdown', 'html', 'vue', 'svelte'];
