/** Assertions that many checks share. */
import assert from 'node:assert/strict';
import { canonicalize, hashValue, type JsonObject, type JsonValue } from '@netd/protocol';
import type { Answer } from './http.ts';

export const HASH = /^[a-f0-9]{64}$/;

/** Returns a string unchanged, other values as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

/** Expects an RFC 9457 problem with this status and one of these codes, if any are given. */
export function expectProblem(answer: Answer, status: number, ...codes: string[]): void {
  const { method, path, body, headers } = answer;
  assert.equal(answer.status, status, `${method} ${path} should be refused with ${status}`);
  const type = headers.get('content-type')?.split(';')[0];
  assert.equal(type, 'application/problem+json', `${method} ${path} answers no problem`);
  assert.match(textOf(body['code']), /^[A-Z][A-Z0-9_]+$/, 'a problem has a code');
  if (codes.length > 0) {
    const code = textOf(body['code']);
    assert.ok(codes.includes(code), `${code} instead of ${codes.join(' or ')}`);
  }
}

/** Expects a refusal that names the member. Permission is checked first, hence the early codes. */
export function expectPayloadInvalid(answer: Answer, name: string): void {
  const early = name === 'agentId' ? ['CAPABILITY_AGENT_MISMATCH'] : [];
  expectProblem(answer, 409, 'PAYLOAD_INVALID', ...early);
  expectErrorPath(answer, `/payload/${name}`);
}

/** Expects a problem that names this path. */
export function expectErrorPath({ body }: Answer, expected: string): void {
  const errors = (body['errors'] ?? []) as { path: string }[];
  const paths = errors.map(({ path }) => path);
  const named = paths.some((path) => path === expected || path.startsWith(`${expected}/`));
  assert.ok(named, `the problem names ${paths.join(', ') || 'no path'} instead of ${expected}`);
}

/** Yields every member of a document, at any depth. */
export function* membersOf(value: JsonValue, path = ''): Generator<[string, string, JsonValue]> {
  if (value === null || typeof value !== 'object') return;
  for (const [name, held] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [name, `${path}/${name}`, held];
    yield* membersOf(held, `${path}/${name}`);
  }
}

/** Finds the member with a matching name that is nearest to the top. */
function member(document: JsonValue, name: RegExp): JsonValue | undefined {
  const depth = ([, path]: [string, string, JsonValue]): number => path.split('/').length;
  const found = [...membersOf(document)].filter(([it]) => name.test(it));
  return found.sort((a, b) => depth(a) - depth(b))[0]?.[2];
}

/** Expects a member with a matching name, at any depth. */
export function expectMember(document: JsonValue, name: RegExp, what: string): JsonValue {
  const value = member(document, name);
  assert.notEqual(value, undefined, `there is no member for ${what} (${name.source})`);
  return value as JsonValue;
}

/** Expects the member at `path` to be the hash of the document without it. */
export function expectFingerprint(document: JsonObject, path: string): void {
  const [outer = '', inner] = path.split('.');
  const copy = structuredClone(document) as Record<string, JsonValue>;
  const holder = inner === undefined ? copy : (copy[outer] as Record<string, JsonValue>);
  const name = inner ?? outer;
  assert.ok(holder && name in holder, `${path} is missing`);
  const stated = holder[name];
  delete holder[name];
  if (holder !== copy && name in copy) {
    assert.equal(copy[name], stated, `${name} on top is another one than ${path}`);
    delete copy[name];
  }
  if (inner !== undefined && Object.keys(holder).length === 0) delete copy[outer];
  assert.equal(stated, hashValue(copy), `${path} is not the hash of the rest`);
}

/** True if a document contains a text. */
export function mentions(document: JsonValue, text: string): boolean {
  return canonicalize(document).includes(text);
}
