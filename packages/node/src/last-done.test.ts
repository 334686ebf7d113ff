import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LAST_DONE, lastDone, noteDone } from './last-done.ts';

test('keeps the times of backup and verify apart, and says if the record cannot be written', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'last-done-'));
  t.after(() => rmSync(root, { recursive: true }));
  assert.equal(lastDone(root, 'backup'), null);
  assert.equal(noteDone(root, 'backup', { at: '2026-01-01T00:00:00.000Z', height: 7 }), null);
  assert.equal(noteDone(root, 'verify', { at: '2026-01-02T00:00:00.000Z', height: 9 }), null);
  assert.equal(lastDone(root, 'backup'), Date.parse('2026-01-01T00:00:00.000Z'));
  assert.equal(lastDone(root, 'verify'), Date.parse('2026-01-02T00:00:00.000Z'));
  for (const damaged of [
    '',
    '[]',
    '{"schema":"NET-OTHER/1","backup":{"at":"2026-01-01"}}',
    'null',
  ]) {
    writeFileSync(join(root, LAST_DONE), damaged);
    assert.equal(lastDone(root, 'backup'), null, damaged);
  }
  rmSync(join(root, LAST_DONE));
  mkdirSync(join(root, LAST_DONE));
  const unwritten = noteDone(root, 'backup', { at: '2026-01-01T00:00:00.000Z', height: 7 });
  assert.match(unwritten!, /last-done\.json could not be written, so the node goes on reporting/);
});
