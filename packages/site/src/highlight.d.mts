export type HighlightedLanguage = 'bash' | 'javascript' | 'json' | 'python' | 'typescript';

/** @returns the code as HTML, its words in spans of highlight.js */
export function highlight(code: string, language: HighlightedLanguage): string;
