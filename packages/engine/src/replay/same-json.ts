/** @param own bounds the depth */
export function isSameJson(received: unknown, own: unknown): boolean {
  if (received === own) return true;
  if (
    received === null ||
    own === null ||
    typeof received !== 'object' ||
    typeof own !== 'object'
  ) {
    return false;
  }
  if (Array.isArray(own)) {
    if (!Array.isArray(received) || received.length !== own.length) return false;
    for (let i = 0; i < own.length; i++) if (!isSameJson(received[i], own[i])) return false;
    return true;
  }
  if (Array.isArray(received)) return false;
  const theirs = received as Record<string, unknown>;
  const ours = own as Record<string, unknown>;
  const names = Object.keys(ours);
  if (Object.keys(theirs).length !== names.length) return false;
  for (const name of names) {
    if (!Object.hasOwn(theirs, name) || !isSameJson(theirs[name], ours[name])) return false;
  }
  return true;
}
