/**
 * A lie changes one thing between client and node. It names the requirements that it breaks, at least one of which
 * must fail.
 */
import type { JsonObject, JsonValue } from '@netd/protocol';
import type { RequirementId } from '../requirements.ts';

/** An answer that a lie may change in place. */
export interface ProxiedAnswer {
  method: string;
  /** Path and query of the request. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
  /** The bytes of an archive, sent instead of the text. */
  file?: Buffer | null;
}

export interface Lie {
  name: string;
  /** At least one of these must fail. */
  breaks: readonly RequirementId[];
  /** Changes the answer; returns false if the lie does not apply. */
  tell: (answer: ProxiedAnswer) => boolean;
}

/** True if method and path match, ignoring the query. `*` matches one segment. */
function isAt({ method, path }: ProxiedAnswer, place: string): boolean {
  const [wanted = '', template = ''] = place.split(' ');
  const pattern = template.replaceAll('.', '\\.').replaceAll('*', '[^/]+');
  return method === wanted && new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '');
}

/** Makes a lie in a JSON body. `change` edits it in place, or returns false if nothing applies. */
export function inBody(
  name: string,
  place: string,
  breaks: readonly RequirementId[],
  change: (body: JsonObject) => boolean | void,
): Lie {
  return {
    name: `${place}: ${name}`,
    breaks,
    tell(answer) {
      if (answer.status >= 300 || !isAt(answer, place)) return false;
      const body = JSON.parse(answer.text) as JsonObject;
      if (change(body) === false) return false;
      answer.text = JSON.stringify(body);
      return true;
    },
  };
}

type Change = (value: JsonValue) => JsonValue | undefined;

/**
 * Makes a lie about one member: an RFC 6901 pointer, with `*` for every element of a list.
 * @param lie the change, and a phrase for its result if "another value" is too vague
 */
export function at(
  pointer: string,
  place: string,
  breaks: readonly RequirementId[],
  lie: Change | readonly [what: string, change: Change],
): Lie {
  const [what, change] = typeof lie === 'function' ? ['another value', lie] : lie;
  const segments = pointer.split('/').slice(1);
  return inBody(`${pointer} is ${what}`, place, breaks, (body) => changeAt(body, segments, change));
}

function changeAt(
  holder: JsonValue,
  [name = '', ...rest]: readonly string[],
  change: Change,
): boolean {
  if (holder === null || typeof holder !== 'object') return false;
  const members = holder as Record<string, JsonValue>;
  const names = name === '*' ? Object.keys(members) : name in members ? [name] : [];
  let changed = false;
  for (const each of names) {
    const value = members[each] as JsonValue;
    if (rest.length > 0) {
      changed = changeAt(value, rest, change) || changed;
      continue;
    }
    const next = change(value);
    if (next === undefined) delete members[each];
    else members[each] = next;
    changed = true;
  }
  return changed;
}

export const flipHash = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? (value.startsWith('0') ? '1' : '0') + value.slice(1) : value;
export const addOne = (value: JsonValue): JsonValue => Number(value) + 1;
export const zero = (): JsonValue => 0;
export const empty = (): JsonValue => [];
export const not = (value: JsonValue): JsonValue => value !== true;
export const missing = (): undefined => undefined;
export const dropFirst = (value: JsonValue): JsonValue =>
  Array.isArray(value) ? value.slice(1) : value;
export const twice = (value: JsonValue): JsonValue =>
  Array.isArray(value) && value.length > 0 ? [value[0] as JsonValue, ...value] : value;

/** Makes a lie that replaces status `from`. */
export function status(
  place: string,
  [from, to]: readonly [number, number],
  breaks: readonly RequirementId[],
): Lie {
  return {
    name: `${place}: ${to} instead of ${from}`,
    breaks,
    tell(answer) {
      if (answer.status !== from || !isAt(answer, place)) return false;
      answer.status = to;
      return true;
    },
  };
}

export function code(place: string, from: string, breaks: readonly RequirementId[]): Lie {
  return {
    name: `${place}: another code than ${from}`,
    breaks,
    tell(answer) {
      if (!isAt(answer, place) || !answer.text.includes(`"${from}"`)) return false;
      answer.text = answer.text.replaceAll(`"${from}"`, '"SOMETHING_ELSE"');
      return true;
    },
  };
}

/** Makes a lie that replaces or removes a header. */
export function header(
  place: string,
  name: string,
  value: string | null,
  breaks: readonly RequirementId[],
): Lie {
  return {
    name: `${place}: ${name} is ${value ?? 'missing'}`,
    breaks,
    tell(answer) {
      if (!isAt(answer, place) || !answer.headers.has(name)) return false;
      if (value === null) answer.headers.delete(name);
      else answer.headers.set(name, value);
      return true;
    },
  };
}

export function refusal(
  name: string,
  place: string,
  breaks: readonly RequirementId[],
  change: (text: string) => string,
): Lie {
  return {
    name: `${place}: ${name}`,
    breaks,
    tell(answer) {
      if (answer.status < 400 || !isAt(answer, place)) return false;
      const changed = change(answer.text);
      if (changed === answer.text) return false;
      answer.text = changed;
      return true;
    },
  };
}

export function text(
  name: string,
  place: string,
  breaks: readonly RequirementId[],
  change: (text: string) => string,
): Lie {
  return {
    name: `${place}: ${name}`,
    breaks,
    tell(answer) {
      if (answer.status >= 300 || !isAt(answer, place)) return false;
      const changed = change(answer.text);
      if (changed === answer.text) return false;
      answer.text = changed;
      return true;
    },
  };
}
