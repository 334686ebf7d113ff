// JavaScript, because the types of highlight.js would add the DOM to every file.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

for (const [name, language] of Object.entries({ bash, javascript, json, python, typescript })) {
  hljs.registerLanguage(name, language);
}

export const highlight = (code, language) => hljs.highlight(code, { language }).value;
