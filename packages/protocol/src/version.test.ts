import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MADE_ON, VERSION } from './version.ts';

/** The newest version, released or under [Unreleased]. */
const NEWEST = /^(?:## \[)?(\d+\.\d+\.\d+)(?:\] - |, made on )(\d{4}-\d{2}-\d{2})\b/m;

test('the version and the day it was made on are those of the changelog', () => {
  const text = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, version, day] = NEWEST.exec(text) ?? [];
  assert.deepEqual([version, day], [VERSION, MADE_ON]);
});
