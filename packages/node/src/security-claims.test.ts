/** SECURITY.md names where each claim is enforced and tested: those places exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../../', import.meta.url);
const ROOMS: Record<string, string> = {
  L: 'packages/ledger/src/',
  N: 'packages/node/src/',
  P: 'packages/protocol/src/',
  S: 'packages/sdk/src/',
};

test('every place that the threat model names is there', () => {
  const text = readFileSync(new URL('SECURITY.md', ROOT), 'utf8');
  const places = [...text.matchAll(/`([LNPS])\/([\w./-]+)`/g)];
  assert.ok(places.length > 40, `${places.length} places`);
  const missing = places
    .map(([, room = '', path = '']) => `${ROOMS[room]}${path}`)
    .filter((path) => !existsSync(new URL(path, ROOT)));
  assert.deepEqual(missing, []);
});
