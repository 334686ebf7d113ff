/** Reading session files. */
import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeSessionFile } from '@netd/sdk/internal';
import { tempDir } from '@netd/testkit/temp-dir';
import { readSessionFile } from './session-file.ts';

const OF = { chainId: 'net-1', actorId: 'ada', sessionId: 's-1' };

test('a session file is read if its key matches, and never an agent key', async (t) => {
  const path = join(tempDir(t), 'session.json');
  await assert.rejects(readSessionFile(path), { code: 'SESSION_FILE_MISSING' });
  const write = (text: string): void => writeFileSync(path, text, { mode: 0o600 });
  const session = await makeSessionFile(OF, null);
  write(JSON.stringify(session));
  assert.deepEqual(await readSessionFile(path), session);
  for (const [text, code] of [
    [JSON.stringify({ ...session, publicKeyHash: '0'.repeat(64) }), 'SESSION_FILE_INVALID'],
    [JSON.stringify({ ...session, privateKey: 'no key' }), 'SESSION_FILE_INVALID'],
    [JSON.stringify({ ...session, schema: 'NET-SESSION-FILE/2' }), 'SESSION_FILE_INVALID'],
    [`\uFEFF${JSON.stringify({ ...session, schema: 'NET-AGENT-KEY/1' })}`, 'AGENT_KEY_REFUSED'],
    ['no JSON', 'SESSION_FILE_INVALID'],
  ] as const) {
    write(text);
    await assert.rejects(readSessionFile(path), { code }, text.slice(0, 40));
  }
  chmodSync(path, 0o644);
  await assert.rejects(readSessionFile(path), { code: 'KEY_FILE_READABLE' });
});
