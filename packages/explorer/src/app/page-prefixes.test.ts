import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PAGE_PREFIXES } from './page-prefixes.ts';

test('the node serves the first step of every route', () => {
  const router = readFileSync(new URL('router.tsx', import.meta.url), 'utf8');
  const steps = [...router.matchAll(/at\('\/([a-z]+)/g)].map(([, step = '']) => step);
  assert.ok(steps.length > 10);
  assert.deepEqual([...new Set(steps)].toSorted(), PAGE_PREFIXES.toSorted());
});
