/** A stranger with nothing but the client joins a devnet of `npm start` and is paid for work. */
import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BlobClient, fetchBlob, type BlobSigner } from '@netd/blobs/client';
import {
  agentMetadata,
  generateEncryptionKey,
  openContent,
  publicEncryptionKey,
  sealContent,
  workScope,
} from '@netd/formats';
import { canonicalize, utf8Bytes } from '@netd/protocol';
import { AgentKey, NetClient, NetError, type Actor, type DocumentOf } from '@netd/sdk';
import { comes } from '../testing/comes.ts';
import { startDev, type Command, type DevFacts } from '../testing/command.ts';

interface AliveFacts extends DevFacts {
  blobs: { providerId: string; url: string; httpsUrl: string; pid: number }[];
}
type Order = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

const ARGS = ['dev', '--port', '0', '--data-dir', 'chain'];

let home: string;
let dev: Command;
let facts: AliveFacts;
let client: NetClient;
/** Milliseconds from the command until everything runs. */
let startTook: number;

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'netd-stranger-'));
  await start();
});
after(async () => {
  dev.child.kill('SIGTERM');
  await dev.ended;
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const begun = performance.now();
  [dev] = await startDev(ARGS, home);
  facts = await until('blobs', () => {
    const read = JSON.parse(readFileSync(join(home, 'chain', 'dev.json'), 'utf8')) as AliveFacts;
    return read.blobs.length === 2 && read.pid === dev.child.pid ? read : null;
  });
  startTook = performance.now() - begun;
  client = new NetClient({ url: facts.url });
}

/** Polls like `comes`, and adds the devnet's output to the error. */
const until = <Answer>(
  what: string,
  ask: () => Promise<Answer | null> | Answer | null,
): Promise<Answer> =>
  comes(
    what,
    ask,
    () => `${dev.stdout}
${dev.stderr}`,
  );

interface Stranger {
  actor: Actor;
  signer: BlobSigner;
}

/** Registers a stranger with a new key. */
async function joinAs(agentId: string): Promise<Stranger> {
  const pair = generateKeyPairSync('ed25519');
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const actor = { actorId: agentId, key: await AgentKey.fromPem({ privateKey, publicKey }) };
  await client.register(actor, { description: 'a stranger' });
  const secret = createPrivateKey(privateKey);
  const signer: BlobSigner = { keyId: agentId, sign: (bytes) => sign(null, bytes, secret) };
  return { actor, signer };
}

const openJobs = async (): Promise<Order[]> => {
  const { orders } = await client.read('/v1/work-orders', { status: 'OPEN' });
  return orders.filter(({ requesterId }) => requesterId === 'house-requester');
};

/** Waits for an open job of the house and for three active verifiers. */
async function openJob(kind: string): Promise<Order> {
  return until(`an open job of ${kind}`, async () => {
    const found = (await openJobs()).find(({ jobType }) => jobType === kind);
    const { actual } = await client.read('/v1/validation');
    return found && actual.activeVerifiers >= 3 ? found : null;
  });
}

async function orderAt(orderId: string): Promise<Order> {
  return (await client.read('/v1/work-orders/{orderId}', { orderId })).order;
}

/** Accepts an order and delivers the bytes. */
async function deliver(actor: Actor, orderId: string, deliverableHash: string): Promise<void> {
  const { actorId: agentId } = actor;
  await client.act(actor, 'acceptWork', { orderId, agentId });
  await client.act(actor, 'submitWorkResult', { orderId, agentId, deliverableHash });
}

let stranger: Stranger;
let job: Order;

test('a stranger joins, takes a job of the house, delivers and is verified', async () => {
  stranger = await joinAs('stranger');
  const { actor, signer } = stranger;
  job = await openJob('json-schema');
  const { orderId, scopeHash } = job;
  const origins = facts.blobs.map(({ url }) => url);
  const bytes = await fetchBlob(scopeHash, origins);
  assert.ok(bytes);
  const scope = workScope.read(bytes, scopeHash);
  assert.equal(scope.acceptance[0]?.kind, 'json-schema');

  const { chainId, genesisHash, height } = await client.network();
  const deliverable = utf8Bytes(
    canonicalize({
      chainId,
      genesisHash,
      height,
      workOrders: 3,
      capabilities: ['verification', 'echo'],
      summary: 'A devnet with three jobs, three verifiers and an echo, all of one operator.',
    }),
  );
  const deliverableHash = await new BlobClient(origins[0] ?? '').put(deliverable, signer);
  await deliver(actor, orderId, deliverableHash);
  const verified = await until('a verdict', async () => {
    const order = await orderAt(orderId);
    return order.phase === 'VERIFIED' ? order : null;
  });
  const votes = verified.verification?.votes ?? [];
  assert.ok(votes.length >= 2);
  for (const { vote, independenceGroup, evidenceHash } of votes) {
    assert.equal(vote, 'ACCEPT');
    assert.match(independenceGroup, /^house-/);
    const reasons = await fetchBlob(evidenceHash, origins);
    assert.equal(
      (JSON.parse(String(Buffer.from(reasons ?? []))) as { verdict: string }).verdict,
      'met',
    );
  }
  // A new job of the same kind is offered, and never more than three.
  const again = await openJobs();
  assert.deepEqual(again.map(({ jobType }) => jobType).toSorted(), [
    'chain-replay',
    'json-schema',
    'research',
  ]);
  for (const line of [
    /stranger joined$/m,
    new RegExp(`house-requester offered 10 NET for ${orderId}$`, 'm'),
    new RegExp(`stranger accepted ${orderId}$`, 'm'),
    new RegExp(`voted on ${orderId}: accept`, 'm'),
  ]) {
    await until(String(line), () => line.test(dev.stdout) || null);
  }
  assert.ok(!dev.stdout.includes('\u001b'), 'no colors if there is no terminal');
});

test('the documents say that all verifiers belong to the operator', async () => {
  const { actual, boundaries } = await client.read('/v1/validation');
  assert.deepEqual([actual.verifierGroups, actual.operatorGroups], [3, 3]);
  assert.match(boundaries.join(' '), /every verdict is the operator’s own/);
  const { summary } = await client.read('/v1/agent-trust');
  assert.ok(summary.failed.includes('independent-verifier-groups'));
  assert.ok(!summary.failed.includes('verifier-groups'));
  assert.deepEqual((await client.read('/v1/replicas')).replicas, []);
  const { beacons } = await client.read('/v1/discovery', { capability: 'blobs' });
  assert.deepEqual(
    new Map(beacons.map(({ agentId, endpoint }) => [agentId, endpoint])),
    new Map(facts.blobs.map(({ providerId, httpsUrl }) => [providerId, httpsUrl])),
  );
});

test('its stores leave the disk to the chain: a gibibyte each', async () => {
  for (const { url } of facts.blobs) {
    const health = (await (await fetch(`${url}/health`)).json()) as { capacityBytes: number };
    assert.equal(health.capacityBytes, 1024 ** 3);
  }
});

test('what is wrong, or is nowhere, is rejected, with the reason', async () => {
  const { actor, signer } = await joinAs('careless');
  const origins = facts.blobs.map(({ url }) => url);
  const wrong = await new BlobClient(origins[1] ?? '').put(utf8Bytes('{"no":"digest"}'), signer);
  const replay = await openJob('chain-replay');
  await deliver(actor, replay.orderId, wrong);
  const missing = await openJob('research');
  await deliver(actor, missing.orderId, 'ab'.repeat(32));
  for (const [{ orderId }, reason] of [
    [replay, /another digest/],
    [missing, /No store that should have the deliverable has it/],
  ] as const) {
    const ended = await until(`the end of ${orderId}`, async () => {
      const order = await orderAt(orderId);
      return order.status === 'REJECTED' ? order : null;
    });
    assert.equal(ended.reason, 'VERIFICATION_REJECTED');
    const [vote] = ended.verification?.votes ?? [];
    assert.equal(vote?.vote, 'REJECT');
    const reasons = await fetchBlob(vote.evidenceHash, origins);
    assert.match(String(Buffer.from(reasons ?? [])), reason);
  }
});

test('the echo answers a sealed message, sealed', async () => {
  const { actor, signer } = stranger;
  const [place] = facts.blobs;
  assert.ok(place);
  const blobs = new BlobClient(place.url);
  const secret = await generateEncryptionKey();
  const own = agentMetadata.make({
    schema: 'NET-AGENT-METADATA/1',
    agentId: actor.actorId,
    description: '',
    encryptionKey: publicEncryptionKey(secret),
    blobs: [place.url],
  });
  await blobs.put(own.bytes, signer);
  const { height, chainId } = await client.network();
  await client.act(actor, 'publishBeacon', {
    schema: 'NET-AGENT-BEACON/1',
    agentId: actor.actorId,
    indexable: true,
    endpoint: `${place.httpsUrl}/blobs/${own.hash}`,
    capabilities: ['curiosity'],
    protocols: ['NET-AGENT-MESSAGE/1'],
    metadataHash: own.hash,
    expiresAtHeight: height + 1_000,
    sequence: 1,
  });
  const echo = await client.read('/v1/agents/{agentId}', { agentId: 'house-echo' });
  const { metadataHash = '' } = (echo.beacon ?? {}) as { metadataHash?: string };
  const metadata = agentMetadata.read((await blobs.get(metadataHash)) ?? new Uint8Array());
  const conversationId = 'stranger-talk';
  const facts1 = {
    fromAgentId: actor.actorId,
    toAgentId: 'house-echo',
    conversationId,
    messageId: 'stranger-1',
    sequence: 1,
  };
  const context = { chainId, ...facts1 };
  const sealed = await sealContent(utf8Bytes('Anybody there?'), [metadata.encryptionKey], context);
  await blobs.put(sealed.bytes, signer);
  await client.act(actor, 'sendAgentMessage', {
    schema: 'NET-AGENT-MESSAGE/1',
    agentId: actor.actorId,
    ...facts1,
    kind: 'REQUEST',
    contentEncoding: 'application/ael-encrypted+json',
    contentHash: sealed.hash,
    expiresAtHeight: height + 1_000,
  });
  const answer = await until('an answer', async () => {
    const { messages } = await client.read('/v1/agent-messages', { conversationId });
    const asked = messages.find(({ messageId }) => messageId === 'stranger-1');
    const found = messages.find(({ fromAgentId }) => fromAgentId === 'house-echo');
    return asked?.status === 'DELIVERED' && found ? found : null;
  });
  const { fromAgentId, toAgentId, messageId, sequence } = answer;
  assert.deepEqual([toAgentId, answer.replyTo, sequence], [actor.actorId, 'stranger-1', 1]);
  const bytes = await blobs.get(answer.contentHash);
  const opened = await openContent(bytes ?? new Uint8Array(), secret, {
    chainId,
    fromAgentId,
    toAgentId,
    conversationId,
    messageId,
    sequence,
  });
  assert.equal(Buffer.from(opened).toString(), 'You said: Anybody there?');
});

test('after the dispute window the stranger is paid', async () => {
  const { actor } = stranger;
  const { orderId } = job;
  await until('the end of the dispute window', async () => {
    try {
      await client.act(actor, 'settleVerifiedWork', { orderId });
      return true;
    } catch (error) {
      if (!(error instanceof NetError)) throw error;
      if (error.code === 'DISPUTE_WINDOW_OPEN') return null;
      // The requester may settle first. The balance below shows that it was paid.
      if (error.code === 'WORK_NOT_VERIFIED') return true;
      throw error;
    }
  });
  const { account } = await client.read('/v1/agents/{agentId}', { agentId: actor.actorId });
  assert.equal(account.balance, job.funding);
  await until(
    'the line of the payment',
    () => new RegExp(`stranger was paid 10 NET for ${orderId}$`, 'm').test(dev.stdout) || null,
  );
});

/** Counts the chain's events outside idle blocks. */
async function countEvents(): Promise<number> {
  let count = 0;
  let seen = '0.0';
  for (;;) {
    const page = await client.read('/v1/events', { after: seen, limit: 1_000 });
    count += page.events.length;
    if (!page.more) return count;
    seen = page.next;
  }
}

// Runs after the payment test, which needs this process's output and would disturb the silence.
test('resumes after a kill at any moment, repeats nothing, and becomes idle', async () => {
  const ports = facts.blobs.map(({ url }) => url);
  const { pid } = facts.blobs[0] ?? { pid: 0 };
  // Kill only the blob process. It restarts on the ports that URIs on the chain name.
  process.kill(pid, 'SIGKILL');
  await until('blobs after their death', async () => {
    try {
      return (await fetch(`${ports[1]}/health`)).ok || null;
    } catch {
      return null;
    }
  });
  await until('dev.json to name the new process', () => {
    const { blobs } = JSON.parse(
      readFileSync(join(home, 'chain', 'dev.json'), 'utf8'),
    ) as AliveFacts;
    return blobs[0]?.pid !== pid || null;
  });
  // Kill the node as a power loss would. Its children hold its standard error open until they end.
  dev.child.kill('SIGKILL');
  await dev.ended;
  await start();
  assert.deepEqual(
    facts.blobs.map(({ url }) => url),
    ports,
  );
  const { orderId } = await openJob('json-schema');
  assert.notEqual(orderId, job.orderId);
  const settled = await until('silence', async () => {
    const count = await countEvents();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return count === (await countEvents()) ? count : null;
  });
  for (let check = 0; check < 5; check++) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(await countEvents(), settled, 'the house acted although no agent did anything');
  }
  const { orders } = await client.read('/v1/work-orders', { limit: 100 });
  const ids = orders.map((order) => order.orderId);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal((await openJobs()).length, 3);
  const { messages } = await client.read('/v1/agent-messages', { agentId: 'house-echo' });
  assert.equal(messages.length, 2);
  const { applications } = await client.read('/v1/operator-applications');
  assert.equal(applications.length, 3);
});

// A task that delays the stop would wait many seconds. A busy machine gets up to five times the time of its
// start.
test('idle, it stops at once, with all that it started', async () => {
  const pids = facts.blobs.map(({ pid }) => pid);
  const begun = performance.now();
  dev.child.kill('SIGTERM');
  const { code, stdout, stderr } = await dev.ended;
  const took = performance.now() - begun;
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Stopped at height/);
  for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  const most = Math.max(10_000, 5 * startTook);
  assert.ok(took < most, `${took} ms, at most ${most}`);
});
