/** Refuses unknown options, which would be ignored silently. */
import { didYouMean, isHash, jsonPointer, RECORD_ID_PATTERN } from '@netd/protocol';
import { CoreError, refuseArgument } from './agent/core-error.ts';

const RECORD_ID = new RegExp(RECORD_ID_PATTERN);

const KINDS = {
  /** Runtimes fire longer timers at once. */
  timeout: [
    (value: unknown) => isNumber(value, Number.MIN_VALUE, 2_147_483_647),
    'is no number of milliseconds above 0, such as 30000',
  ],
  /** Milliseconds of a wait; Infinity is allowed. */
  milliseconds: [
    (value: unknown) => isNumber(value, 0, Number.POSITIVE_INFINITY),
    'is no number of milliseconds, such as 30000',
  ],
  count: [
    (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1,
    'is no whole number from 1 on, such as 2',
  ],
  signal: [
    (value: unknown) => value instanceof AbortSignal,
    'is no AbortSignal, such as AbortSignal.timeout(5000)',
  ],
  texts: [
    (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    'is no list of texts, such as ["research"]',
  ],
  hash: [isHash, 'is not a hash: write 64 digits of 0-9 and a-f'],
  id: [
    (value: unknown) => typeof value === 'string' && RECORD_ID.test(value),
    'is not an id: write at most 128 letters, digits and ._:-, beginning with a letter or digit',
  ],
  function: [(value: unknown) => typeof value === 'function', 'is not a function'],
} as const satisfies Record<string, readonly [(value: unknown) => boolean, string]>;

export type OptionKind = keyof typeof KINDS;

/** Names of the options with their kinds; `true` allows any value. The compiler checks completeness. */
export type OptionNames<Options> = {
  readonly [Name in keyof Required<Options>]: true | OptionKind;
};

export function requireKind(name: string, value: unknown, kind: OptionKind): void {
  const [isSound, why] = KINDS[kind];
  if (isSound(value)) return;
  refuseArgument(name, `${name}: ${shown(value)} ${why}`);
}

export function shown(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value;
}

const isNumber = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;

/** Refuses unknown options, and values that are not option objects, such as a number or a URL. */
export function requireOptions(
  call: string,
  given: unknown,
  known: Readonly<Record<string, true | OptionKind>>,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || given instanceof URL) {
    refuseOptions(call, given, known);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(known, name)) refuseOption(call, name, known);
    const kind = known[name];
    if (kind !== undefined && kind !== true) requireKind(name, value, kind);
  }
}

function refuseOptions(call: string, given: unknown, known: object): never {
  const [first = 'name'] = Object.keys(known);
  const found =
    given === null
      ? 'null'
      : Array.isArray(given)
        ? 'a list'
        : given instanceof URL
          ? 'a URL'
          : typeof given;
  const detail = `${call} takes its options as an object, such as { ${first}: … }, and got ${found}`;
  refuseArgument('', detail);
}

function refuseOption(call: string, name: string, known: object): never {
  const names = Object.keys(known);
  const near = didYouMean(name, names);
  const hint = near || (names.length === 0 ? '' : `; there are ${names.join(', ')}`);
  throw new CoreError('OPTION_UNKNOWN', `${call}: ${JSON.stringify(name)}${hint}`, {
    data: { path: jsonPointer([name]) },
  });
}
