/** A new X25519 key: others learn it with the beacon, and what was sealed to the one before is still read. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { agentMetadata } from '@netd/formats';
import { until } from '@netd/protocol/testing';
import { Agent, type AgentOptions } from './agent.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage();

async function open(t: TestContext, agentId: string, options: AgentOptions = {}): Promise<Agent> {
  const agent = await Agent.open(agentId, staged.world.options(options));
  t.after(() => agent.stop());
  return agent;
}

const keyFile = (name: string): string =>
  join(staged.world.home, 'keys', 'net-devnet-1', `${name}.json`);

async function publishedKid(agentId: string): Promise<string> {
  const { beacon } = await staged.world.client.read('/v1/agents/{agentId}', { agentId });
  const { metadataHash } = beacon as { metadataHash: string };
  const bytes = await staged.world.fetch(metadataHash);
  return agentMetadata.read(bytes!, metadataHash).encryptionKey.kid;
}

async function statusOf(messageId: string): Promise<string | undefined> {
  const { messages } = await staged.world.client.read('/v1/agent-messages');
  return messages.find((one) => one.messageId === messageId)?.status;
}

for (const passphrase of [undefined, 'open sesame']) {
  test(`old and new are read, here and on another machine (${passphrase ? 'sealed' : 'plain'} files)`, async (t) => {
    const name = passphrase ? 'ada-sealed' : 'ada';
    const given = passphrase ? { passphrase } : {};
    const bob = await open(t, `bob-of-${name}`);
    const ada = await open(t, name, given);
    const before = await publishedKid(name);
    ada.memory.set('sealed', 'to the first');
    await ada.memory.commit();
    const old = await bob.send(name, 'sealed to the first key');
    const kid = await ada.rotateEncryptionKey();
    assert.notEqual(kid, before);
    assert.equal(await publishedKid(name), kid);
    await bob.send(name, 'sealed to the second key');
    const heard: string[] = [];
    ada.onMessage(({ text }) => void heard.push(text));
    void ada.run();
    await until(async () => heard.length === 2);
    assert.deepEqual(heard.toSorted(), ['sealed to the first key', 'sealed to the second key']);
    assert.equal(await ada.rotateEncryptionKey(), await publishedKid(name));
    await ada.stop();
    await until(async () => (await statusOf(old.messageId)) === 'DELIVERED');

    const files = ['encryption', 'encryption-2', 'encryption-3'].map(
      (one) => JSON.parse(readFileSync(keyFile(`${name}.${one}`), 'utf8')) as { kid: string },
    );
    assert.deepEqual(
      files.slice(0, 2).map((file) => file.kid),
      [before, kid],
    );
    const keys = join(staged.world.home, `elsewhere-${name}`, 'keys');
    cpSync(join(staged.world.home, 'keys'), keys, { recursive: true });
    const there = await open(t, name, { ...given, keys });
    assert.equal(there.memory.get('sealed'), 'to the first');
    assert.equal(await publishedKid(name), files[2]?.kid, 'it publishes the newest');
  });
}

test('an asker that takes a new key while it waits reads the answer', async (t) => {
  const asker = await open(t, 'asker');
  const slow = await open(t, 'slow');
  slow.onMessage(async ({ text }) => {
    if (text === 'twice') await asker.rotateEncryptionKey();
    return `You said: ${text}`;
  });
  void slow.run();
  assert.equal((await asker.ask('slow', 'twice')).text, 'You said: twice');
  assert.equal((await asker.ask('slow', 'once more')).text, 'You said: once more');
});

test('a session from before leaves alone what it has no key for, and the agent itself reads it', async (t) => {
  const owner = await open(t, 'lender');
  const { session } = await owner.grantSession({
    actions: ['sendAgentMessage', 'acknowledgeAgentMessage'],
    budget: 0,
  });
  await owner.rotateEncryptionKey();
  const later = await owner.grantSession({ actions: ['acknowledgeAgentMessage'], budget: 0 });
  assert.deepEqual(later.session.formerEncryptionKeys, [session.encryptionKey]);
  await owner.stop();
  const outdated = await Agent.openSession(
    session,
    staged.world.options({ keys: join(staged.world.home, 'session', 'keys') }),
  );
  t.after(() => outdated.stop());
  outdated.onMessage(() => assert.fail('it cannot be opened'));
  const warned = once(outdated, 'warning', ({ code }) => code === 'ENCRYPTION_KEY_OUTDATED');
  void outdated.run();
  const other = await open(t, 'other');
  const { messageId } = await other.send('lender', 'for the newest');
  await warned;
  assert.equal(await statusOf(messageId), 'PENDING');
  await assert.rejects(outdated.rotateEncryptionKey(), { code: 'SESSION_CANNOT_ROTATE' });
  await outdated.stop();
  const again = await open(t, 'lender');
  const heard = new Promise<string>((resolve) => again.onMessage(({ text }) => resolve(text)));
  void again.run();
  assert.equal(await heard, 'for the newest');
});

test('asking an agent that has lost its key fails with a code, and asking again succeeds', async (t) => {
  const loser = await open(t, 'loser');
  await loser.stop();
  const asker = await open(t, 'patient');
  const asked = asker.ask('loser', 'Still there?');
  const rejected = assert.rejects(asked, { code: 'RECIPIENT_KEY_CHANGED' });
  await until(async () => {
    const { messages } = await staged.world.client.read('/v1/agent-messages', { agentId: 'loser' });
    return messages.length > 0;
  });
  rmSync(keyFile('loser.encryption'));
  const again = await open(t, 'loser', { memory: false });
  again.onMessage(() => 'Yes.');
  void again.run();
  await rejected;
  assert.equal((await asker.ask('loser', 'Still there?')).text, 'Yes.');
});

test('refuses to rotate the key without a beacon', async (t) => {
  const quiet = await open(t, 'quiet', { beacon: false });
  await assert.rejects(quiet.rotateEncryptionKey(), { code: 'BEACON_OFF' });
});

test('names the missing encryption key file if only the signing key was copied', async (t) => {
  const first = await open(t, 'clara');
  await first.stop();
  const kid = await publishedKid('clara');
  const elsewhere = join(staged.world.home, 'clara', 'keys');
  cpSync(keyFile('clara'), join(elsewhere, 'net-devnet-1', 'clara.json'));
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  await (await open(t, 'clara', { keys: elsewhere, log })).stop();
  const file = `clara/keys/net-devnet-1/clara.encryption.json, key ${kid}`;
  assert.ok(
    lines.some((retryingClient) => retryingClient.includes(file)),
    lines.join('\n'),
  );
  lines.length = 0;
  await (await open(t, 'fresh', { keys: elsewhere, log })).stop();
  assert.deepEqual(
    lines.filter((retryingClient) => retryingClient.includes('encryption.json')),
    [],
  );
});
