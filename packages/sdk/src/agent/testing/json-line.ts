/** JSON in one line, for readline too, to which U+2028 and U+2029 end one. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value).replace(
    /[\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16)}`,
  );
  return `${text}\n`;
}
