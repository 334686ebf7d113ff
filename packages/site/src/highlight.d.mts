export type HighlightedLanguage = 'bash' | 'javascript' | 'json' | 'python' | 'typescript';

/** @returns HTML with spans of highlight.js */
export function highlight(code: string, language: HighlightedLanguage): string;
