/** Names that a reader may take for one another. Ids are ASCII, so that these few rules say all of it. */

/** Equal for ids that look alike: in small letters, digits as the letters they look like, separators left out. */
function skeleton(id: string): string {
  // Single characters first: `cIaude` has an l only then, and only then it is `claude`.
  return id
    .toLowerCase()
    .replaceAll(/[0o]/g, 'o')
    .replaceAll(/[1li|]/g, 'l')
    .replaceAll('5', 's')
    .replaceAll('2', 'z')
    .replaceAll(/[._-]/g, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd');
}

/** Of ids on one page: those that look like another one there, with the ones they look like. */
export function lookAlikes(ids: Iterable<string>): Map<string, string[]> {
  const groups = Map.groupBy(new Set(ids), skeleton);
  const found = new Map<string, string[]>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    for (const id of group)
      found.set(
        id,
        group.filter((other) => other !== id),
      );
  }
  return found;
}
