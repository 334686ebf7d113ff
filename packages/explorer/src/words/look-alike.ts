import { skeletonOf, speaksForNetwork } from '@netd/protocol';
import { shortId } from './ids.ts';

/**
 * Small letters that look like a Latin one. Token names may contain them, ids may not. Beside our own, those of
 * six alphabets in the confusables of Unicode 18 (UTS #39), which its libraries ship whole, with 6,712 entries.
 */
const LIKE_LATIN: Readonly<Record<string, string>> = {
  a: 'ɑαаꓮꭤꭺ',
  b: 'ƅβвьᏼⲃꓐꞵꮟ',
  c: 'ϲсᲃᴄⲥꓚꮯ',
  d: 'ԁꓒꓓꭰꮷ',
  e: 'εеҽᴇꓰꬲꭼ',
  f: 'ƒʄϝքẝꓝꞙꬵ',
  g: 'ƍɡԍցᏻᶃꓖꮐ',
  h: 'нһհⲏꓧꮋꮒ',
  i: 'ıɩɪιіւⲓꙇꭵ',
  j: 'ȷʝϳјյꓙꭻ',
  k: 'κкⲕꓗꮶ',
  l: 'łǀӏⳑꓡꓲꞁꟾꮮ',
  m: 'ϻмⲙꓟꮇ',
  n: 'ɴηոռⲛꓠ',
  o: 'øοσϭоօᲂᴏᴑⲟꓳꬽ',
  p: 'þƿρϱϸрⲣⳏꓑꮲ',
  q: 'ԛգզ',
  r: 'ɍʀгᴦⲅꓣꭇꭈꭱꮁꮢ',
  s: 'ƽѕտꓢꜱꮥꮪ',
  t: 'τтᴛⲧꓔꭲ',
  u: 'ʋμυսᴜꓴꞟꭎꭒ',
  v: 'νѵᴠꓦꮩ',
  w: 'ɯшѡԝաᴡⲽꓪꟺꮃꮤ',
  x: 'χхⲭꓫꭓ',
  y: 'ɣʏγϒуүᶌỿⲩꓬꭚꭹꮍ',
  z: 'ζᴢⱬⲍꓜꮓ',
};

const OTHER_ALPHABETS: ReadonlyMap<string, string> = new Map(
  Object.entries(LIKE_LATIN).flatMap(([latin, letters]) =>
    [...letters].map((letter) => [letter, latin] as const),
  ),
);

/** Capitals that look like other Latin letters than their lower-case forms do. */
const OTHER_CAPITALS: Readonly<Record<string, string>> = { Ν: 'n', Η: 'h', Υ: 'y' };

/**
 * Returns a text that is equal for names that look alike: lower case, letters for similar digits, no
 * separators.
 */
function skeleton(name: string): string {
  // Replace single characters first, so that the l of `cIaude` becomes that of `claude`.
  return (
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[ΝΗΥ]/g, (letter) => OTHER_CAPITALS[letter] ?? letter)
      .toLowerCase()
      .replaceAll(/[^\0-\x7F]/g, (letter) => OTHER_ALPHABETS.get(letter) ?? letter)
      // Keep separators between numbers, because `job-1-11` is not `job-11-1`.
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

const NET_NAMES = ['net', 'unet'];

/** Returns true if a reader would take the text for NET, the network's own money, whatever its decoration. */
export const readsAsNet = (text: string): boolean =>
  // Only one of the two forms shows the word, because NFKD turns ™ into letters and Ⓝ into one.
  [text, text.normalize('NFKD')].some((form) =>
    NET_NAMES.includes(skeletonOf(skeleton(form.replaceAll(/[^\p{L}\p{N}]/gu, '')))),
  );

/** Returns the characters with which names that look like this one may begin. */
export function beginningsAlike(name: string): string[] {
  const first = name.slice(0, 1);
  const alike = ['0oO', '1lLiI', '5sS', '2zZ'].find((letters) => letters.includes(first));
  return alike?.split('') ?? [...new Set([first.toLowerCase(), first.toUpperCase()])];
}

/** Position of a record's first transition; null if the record does not exist. */
export type Born = { height: number; index: number } | null;

/** Returns the older ones of `others`. A missing name marks no other name, and no other name marks it. */
export function olderOf(
  own: Born | undefined,
  others: readonly (readonly [id: string, born: Born | undefined])[],
): string[] {
  if (!own) return [];
  return others
    .filter(([, born]) => born && (born.height - own.height || born.index - own.index) < 0)
    .map(([id]) => id);
}

interface GenesisNames {
  operators: readonly { actorId: string }[];
  validators: readonly { validatorId: string }[];
}

/**
 * Returns true if the holder took a name that the rules now reserve. Operators and validators of the genesis
 * may speak for the network.
 */
export function isReservedName(
  id: string,
  { rules }: { rules: { version: number } },
  { operators, validators }: GenesisNames,
): boolean {
  const ofGenesis = [
    ...operators.map((one) => one.actorId),
    ...validators.map((one) => one.validatorId),
  ];
  return rules.version >= 2 && speaksForNetwork(id) && !ofGenesis.includes(id);
}

export type Kind = 'agent' | 'order' | 'token' | 'symbol' | 'shortened' | 'hash';

/** Functions that return equal texts for look-alikes. */
const GROUPS: Readonly<Record<Kind, (text: string) => string>> = {
  agent: skeleton,
  order: skeleton,
  token: skeleton,
  symbol: skeleton,
  shortened: (id) => skeleton(shortId(id)),
  // Use few digits, because an attacker can choose those at both ends.
  hash: (hash) => `${hash.slice(0, 4)} ${hash.slice(-4)}`,
};

/** Maximum number of names per tab. The oldest are dropped first. */
const MOST = 20_000;

export class Sightings {
  readonly #groups = new Map<string, Set<string>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #found = new Map<string, readonly string[]>();

  /**
   * @param id distinguishes holders of the same name
   * @returns a function that unsubscribes
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
