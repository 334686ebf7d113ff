/**
 * A lie: one thing that a node between client and chain answers otherwise than it is. Each names the requirements it
 * breaks, one of which must fail: a lie that nothing notices is a hole in the checks.
 */
import type { JsonObject, JsonValue } from '@netd/protocol';
import type { RequirementId } from '../requirements.ts';

/** An answer on its way through the liar, to be changed in place. */
export interface ProxiedAnswer {
  method: string;
  /** Path and query as asked for. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
  /** What is handed on in place of the text: the bytes of an archive. */
  file?: Buffer | null;
}

export interface Lie {
  name: string;
  /** Requirements of which at least one must be reported as failed. */
  breaks: readonly RequirementId[];
  /** Changes the answer and says so; false where it has nothing to do with it. */
  tell: (answer: ProxiedAnswer) => boolean;
}

/** Where a lie is used: method and path, the query left out. A star stands for one segment. */
function isAt({ method, path }: ProxiedAnswer, place: string): boolean {
  const [wanted = '', template = ''] = place.split(' ');
  const pattern = template.replaceAll('.', '\\.').replaceAll('*', '[^/]+');
  return method === wanted && new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '');
}

/** A lie in a JSON body. `change` alters it in place; answering false means that there was nothing to alter. */
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
 * A lie about one member: `pointer` as in RFC 6901, `*` for every element of a list.
 * @param lie the change, with what the member then is where that can be said better than by "another value"
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

/** Another hash. */
export const flipHash = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? (value.startsWith('0') ? '1' : '0') + value.slice(1) : value;
/** Another number. */
export const addOne = (value: JsonValue): JsonValue => Number(value) + 1;
export const zero = (): JsonValue => 0;
export const empty = (): JsonValue => [];
export const not = (value: JsonValue): JsonValue => value !== true;
export const missing = (): undefined => undefined;
/** The first of a list left out. */
export const dropFirst = (value: JsonValue): JsonValue =>
  Array.isArray(value) ? value.slice(1) : value;
/** The first of a list told twice. */
export const twice = (value: JsonValue): JsonValue =>
  Array.isArray(value) && value.length > 0 ? [value[0] as JsonValue, ...value] : value;

/** Another status for an answer that would have had `from`. */
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

/** Another code in a refusal. */
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

/** Another header, or none. */
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

/** Another text in a refusal. */
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

/** Another text. */
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
