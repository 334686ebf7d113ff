import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactJson, NotJsonError } from './exact-json.ts';

test('carries plain JSON, and drops members that are undefined', () => {
  const given = {
    a: undefined,
    b: [null, true, 0.5, 'é', { c: 1 }],
    d: Object.assign(Object.create(null), { e: 2 ** 53 - 1 }),
    f: 6.022e23,
    g: 2 ** 53,
  };
  const copy = exactJson(given);
  assert.equal(JSON.stringify(copy), JSON.stringify(given));
  assert.ok(!Object.hasOwn(copy as object, 'a'));
});

test('keeps a member that is named __proto__', () => {
  const given: unknown = JSON.parse('{"__proto__":{"a":1}}');
  assert.equal(JSON.stringify(exactJson(given)), '{"__proto__":{"a":1}}');
});

test('refuses values that JSON cannot carry exactly, with path and advice', () => {
  class Point {
    x = 1;
  }
  const loop: { self?: unknown } = {};
  loop.self = loop;
  const cases: [value: unknown, path: string, detail: RegExp][] = [
    [{ when: new Date(0) }, '/when', /Date: write its toISOString/],
    [{ a: [new Map()] }, '/a/0', /Map: write Object\.fromEntries/],
    [new Set(), '', /Set: write \[\.\.\.set\]/],
    [{ e: new RangeError('x') }, '/e', /Error: write its message/],
    [Promise.resolve(1), '', /Promise: await it/],
    [{ 'a/b': { '~': new Point() } }, '/a~1b/~0', /Point: write a plain object/],
    [{ n: 1n }, '/n', /bigint/],
    [{ n: Number.NaN }, '/n', /NaN/],
    [{ n: 2 ** 60 }, '/n', /string/],
    [{ f: () => 1 }, '/f', /function/],
    [[1, undefined], '/1', /undefined: write null/],
    [Array(1), '/0', /undefined/],
    [{ t: '\u{d83d}' }, '/t', /surrogate/],
    [{ b: new Uint8Array(1) }, '/b', /base64/],
    [undefined, '', /undefined/],
  ];
  for (const [value, path, detail] of cases) {
    assert.throws(
      () => exactJson(value),
      (error) => error instanceof NotJsonError && error.path === path && detail.test(error.detail),
      `${path} ${detail}`,
    );
  }
  assert.throws(() => exactJson(loop), /contains itself/);
});
