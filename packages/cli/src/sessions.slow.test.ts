/** Commands under a session: permitted ones work, others are refused with a code and have no effect. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SessionFile } from '@netd/sdk';
import { done, runHere } from './testing/run-here.ts';
import { smallWorld } from './testing/small-world.ts';

let worker: string;
let talker: string;

const staged = smallWorld({
  staffed: true,
  prepare: async () => {
    worker = await granted('worker', 'acceptWork,submitWorkResult,settleVerifiedWork');
    talker = await granted(
      'talker',
      'sendAgentMessage,acknowledgeAgentMessage,commitMemoryCheckpoint',
    );
  },
});

async function refused(words: string): Promise<string> {
  const { code, stdout } = await runHere([...words.split(' '), '--json']);
  assert.notEqual(code, 0, words);
  return (JSON.parse(stdout) as { code: string }).code;
}

/** @returns the path of the session file */
async function granted(sessionId: string, actions: string, more = ''): Promise<string> {
  const words = `sessions grant ${sessionId} --actions ${actions} --budget 1NET --as ada --json`;
  return (JSON.parse(await done(words + more)) as { path: string }).path;
}

const fileAt = (path: string): SessionFile => JSON.parse(readFileSync(path, 'utf8')) as SessionFile;

test('a session gets the encryption key if its actions need it, unless the owner declines', async () => {
  assert.equal(fileAt(worker).encryptionKey, null);
  assert.equal(fileAt(talker).encryptionKey?.kid, staged.world.encryptionOf('ada').kid);
  const blind = await granted('blind', 'sendAgentMessage', ' --no-reads-sealed');
  assert.equal(fileAt(blind).encryptionKey, null);
  assert.match(await done(`message bob Hello --key ${blind}`), /^Sent to bob, sealed/);
  assert.equal(await refused(`message --read --key ${blind}`), 'SESSION_READS_NOTHING');
  assert.equal(await refused(`message bob Hello --ask --key ${blind}`), 'SESSION_READS_NOTHING');
});

test('work is taken, delivered and settled under a session', async () => {
  const orderId = await staged.world.order({ agentId: 'ada' });
  const file = join(staged.world.home, 'result.md');
  writeFileSync(file, 'Three small words');
  assert.equal(await refused(`work accept ${orderId} --key ${talker}`), 'SESSION_ACTION_MISSING');
  await done(`work accept ${orderId} --key ${worker}`);
  const others = `work submit ${orderId} ${file} --key ${talker}`;
  assert.equal(await refused(others), 'SESSION_ACTION_MISSING');
  await done(`work submit ${orderId} ${file} --key ${worker}`);
  assert.match(await done(`work settle ${orderId} --wait --key ${worker}`), /ada has 10 NET more/);
});

test('messages and memory work under a session that allows them, and no other', async () => {
  await done(`message bob Which? --key ${talker}`);
  assert.match(await done('message --read --as bob'), /Which\?/);
  await done('message ada Fourth. --as bob');
  assert.match(await done(`message --read --key ${talker}`), /Fourth\./);
  await done(`remember seen 1 --key ${talker}`);
  assert.equal(await done(`remember seen --key ${talker}`), '1\n');
  assert.equal(await done('remember seen --as ada'), '1\n', 'it is the memory of the agent');
  assert.equal(await refused(`message bob Hello --key ${worker}`), 'SESSION_ACTION_MISSING');
  assert.equal(await refused(`remember seen 2 --key ${worker}`), 'SESSION_READS_NOTHING');
  const own = join(staged.world.home, 'keys', 'net-devnet-1', 'ada.json');
  assert.equal(await refused(`remember seen 2 --key ${own}`), 'USAGE');
});

test('a session that is over does nothing more', async () => {
  await done('sessions revoke talker --as ada');
  for (const words of ['message bob Hello', 'message --read', 'remember seen 2']) {
    assert.equal(await refused(`${words} --key ${talker}`), 'SESSION_ENDED', words);
  }
  const orderId = await staged.world.order({ agentId: 'ada' });
  await done('sessions revoke worker --as ada');
  assert.equal(await refused(`work accept ${orderId} --key ${worker}`), 'SESSION_ENDED');
  // With the agent's own key, the missing session has another code.
  assert.equal(await refused('sessions revoke worker --as ada'), 'SESSION_UNKNOWN');
});
