/** Whether every word of what is typed stands somewhere in the text, in any order. */
export function fits(text: string, typed: string): boolean {
  const within = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
}
