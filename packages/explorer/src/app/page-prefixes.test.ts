import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AREAS, PLACES } from './areas.ts';
import { PAGE_PREFIXES } from './page-prefixes.ts';

test('the node serves the first step of every route', () => {
  const router = readFileSync(new URL('router.tsx', import.meta.url), 'utf8');
  const steps = [...router.matchAll(/at\('\/([a-z]+)/g)].map(([, step = '']) => step);
  assert.ok(steps.length > 10);
  assert.deepEqual([...new Set(steps)].toSorted(), PAGE_PREFIXES.toSorted());
});

test('every page belongs to one area of the navigation, and the wallet to none', () => {
  const prefixes = AREAS.flatMap((area) => area.prefixes);
  assert.equal(new Set(prefixes).size, prefixes.length);
  assert.deepEqual(
    [...prefixes, '/wallet'].toSorted(),
    ['/', '/docs', ...PAGE_PREFIXES.map((name) => `/${name}`)].toSorted(),
  );
  const named = new Set(PLACES.map(([path]) => path));
  assert.deepEqual(
    PAGE_PREFIXES.filter((name) => !named.has(`/${name}`)),
    ['transitions'],
  );
});
