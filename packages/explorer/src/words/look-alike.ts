/** Names, and shortened ids, that a reader may take for one another. */

import { shortId } from './ids.ts';

/** Letters of other alphabets that look like Latin ones: names of tokens may have them, ids may not. */
const OTHER_ALPHABETS: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  һ: 'h',
  і: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  μ: 'u',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ı: 'i',
  ł: 'l',
  ø: 'o',
};

/** Equal for names that look alike: in small letters, digits as the letters they look like, separators left out. */
function skeleton(name: string): string {
  // Single characters first: `cIaude` has an l only then, and only then it is `claude`.
  return (
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[^\0-\x7F]/g, (letter) => OTHER_ALPHABETS[letter] ?? letter)
      // Of numbers in a row, which the separators tell apart, they stay: `job-1-11` is not `job-11-1`.
      .replaceAll(/(?<=\d)[._\s-]+(?=\d)/g, ',')
      .replaceAll(/[._\s-]/g, '')
      .replaceAll(/[0o]/g, 'o')
      .replaceAll(/[1li|]/g, 'l')
      .replaceAll('5', 's')
      .replaceAll('2', 'z')
      .replaceAll('rn', 'm')
      .replaceAll('vv', 'w')
      .replaceAll('cl', 'd')
  );
}

/** The kinds of names; only names of one kind are compared with each other. */
export type Kind = 'agent' | 'order' | 'token' | 'shortened' | 'hash';

/** How each kind is distinguished: what is the same for two that look alike. */
const GROUPS: Readonly<Record<Kind, (text: string) => string>> = {
  agent: skeleton,
  order: skeleton,
  token: skeleton,
  shortened: (id) => skeleton(shortId(id)),
  // The maker of a look-alike tries until the digits that are shown are the same: those at either end.
  hash: (hash) => `${hash.slice(0, 4)} ${hash.slice(-4)}`,
};

/** Names of one kind that are remembered, more than any reader sees in a day; the oldest is forgotten first. */
const MOST = 20_000;

/** Names that were shown in this tab, so that a new one can be compared with them. */
export class Sightings {
  readonly #groups = new Map<string, Set<string>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #found = new Map<string, readonly string[]>();

  /**
   * @param id what a name stands for, which tells two of the same name apart
   * @returns what ends it
   */
  watch(kind: Kind, name: string, id: string, listener: () => void): () => void {
    const key = keyOf(kind, name);
    const group = this.#groups.get(key) ?? new Set<string>();
    const listeners = this.#listeners.get(key) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(key, listeners);
    if (!group.has(id)) {
      group.add(id);
      this.#groups.delete(key);
      this.#groups.set(key, group);
      this.#forget();
      const ids = group.size > 1 ? [...group] : [];
      for (const one of ids) {
        this.#found.set(
          `${kind} ${one}`,
          ids.filter((other) => other !== one),
        );
      }
      if (ids.length > 0) for (const told of listeners) told();
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  /** The ids of what looks like it; the same list until there is another one. */
  others(kind: Kind, id: string): readonly string[] {
    return this.#found.get(`${kind} ${id}`) ?? NONE;
  }

  #forget(): void {
    if (this.#groups.size <= MOST) return;
    for (const [key] of this.#groups) {
      if (this.#listeners.has(key)) continue;
      this.#groups.delete(key);
      break;
    }
  }
}

const NONE: readonly string[] = [];

const keyOf = (kind: Kind, name: string): string => `${kind} ${GROUPS[kind](name)}`;

/** Shortens a text as far as it still reads as another one than each of the others. */
export function tellApart(
  text: string,
  others: readonly string[],
  shorten: (text: string, keep: number) => string,
  keep: number,
): string {
  for (let length = keep; length < text.length; length += 4) {
    const short = shorten(text, length);
    if (others.every((other) => shorten(other, length) !== short)) return short;
  }
  return text;
}
