export function fits(text: string, typed: string): boolean {
  const within = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
}
