/** Reads browser storage; returns null if storage is refused. */

export function remembered(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`netd:${key}`) ?? 'null');
  } catch {
    return null;
  }
}

export function remember(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(`netd:${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
