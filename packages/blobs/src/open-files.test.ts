import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from './limits.ts';
import { fitLimits } from './open-files.ts';

test('limits leave a service files of its own, however few it may open', () => {
  for (const openFiles of [256, 1_024, 1_500]) {
    const { connections, downloads, uploads } = fitLimits(DEFAULT_LIMITS, openFiles);
    assert.ok(connections + downloads + uploads < openFiles - 40, String(openFiles));
  }
  assert.deepEqual(fitLimits(DEFAULT_LIMITS, 2_048), DEFAULT_LIMITS);
  assert.deepEqual(fitLimits(DEFAULT_LIMITS, Infinity), DEFAULT_LIMITS);
});
