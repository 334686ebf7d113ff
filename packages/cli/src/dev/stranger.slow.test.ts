/** A stranger comes to a devnet as `npm start` makes it, and is paid for work, with nothing but the client. */
import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BlobClient, fetchBlob, type BlobSigner } from '@netd/blobs/client';
import { workScope } from '@netd/formats';
import { canonicalize, utf8Bytes } from '@netd/protocol';
import { AgentKey, NetClient, NetError, type DocumentOf } from '@netd/sdk';
import { startDev, type Command, type DevFacts } from '../testing/command.ts';

interface AliveFacts extends DevFacts {
  blobs: { providerId: string; url: string; httpsUrl: string; pid: number }[];
}
type Order = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

const ARGS = ['dev', '--port', '0', '--data-dir', 'chain'];
const PATIENCE_MILLISECONDS = 120_000;

let home: string;
let dev: Command;
let facts: AliveFacts;
let client: NetClient;

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
  [dev] = await startDev(ARGS, home);
  facts = await until('blobs', () => {
    const read = JSON.parse(readFileSync(join(home, 'chain', 'dev.json'), 'utf8')) as AliveFacts;
    return read.blobs.length === 2 && read.pid === dev.child.pid ? read : null;
  });
  client = new NetClient({ url: facts.url });
}

/** Asks until there is an answer; states decide, and a bound that only a fault reaches. */
async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | null> | Answer | null,
): Promise<Answer> {
  for (let waited = 0; waited < PATIENCE_MILLISECONDS; waited += 100) {
    const answer = await ask();
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not come\n${dev.stdout}\n${dev.stderr}`);
}

/** A stranger with a key of its own. */
async function joinAs(agentId: string) {
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

async function takeOpenJob(kind: string, workerId: string): Promise<Order> {
  const job = await until(`an open job of ${kind}`, async () => {
    const found = (await openJobs()).find(({ jobType }) => jobType === kind);
    const verifiers = await client.read('/v1/validation');
    return found && verifiers.actual.activeVerifiers >= 3 ? found : null;
  });
  assert.ok(job.funding >= 10_000_000, workerId);
  return job;
}

test('a stranger joins, takes a job of the house, delivers, is verified and paid', async () => {
  const { actor, signer } = await joinAs('stranger');
  const job = await takeOpenJob('json-schema', actor.actorId);
  const { orderId, scopeHash } = job;
  const origins = facts.blobs.map(({ url }) => url);
  const bytes = await fetchBlob(scopeHash, origins);
  assert.ok(bytes);
  const scope = workScope.read(bytes, scopeHash);
  assert.equal(scope.acceptance[0]?.kind, 'json-schema');

  await client.act(actor, 'acceptWork', { orderId, agentId: actor.actorId });
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
  await client.act(actor, 'submitWorkResult', {
    orderId,
    agentId: actor.actorId,
    deliverableHash,
  });
  const verified = await until('a verdict', async () => {
    const { order } = await client.read('/v1/work-orders/{orderId}', { orderId });
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
  await until('the end of the dispute window', async () => {
    try {
      await client.act(actor, 'settleVerifiedWork', { orderId });
      return true;
    } catch (error) {
      if (error instanceof NetError && error.code === 'DISPUTE_WINDOW_OPEN') return null;
      throw error;
    }
  });
  const { account } = await client.read('/v1/agents/{agentId}', { agentId: actor.actorId });
  assert.equal(account.balance, job.funding);
  // A job of the kind that was taken is there again, and never more than three.
  const again = await openJobs();
  assert.deepEqual(again.map(({ jobType }) => jobType).toSorted(), [
    'chain-replay',
    'endpoint-check',
    'json-schema',
  ]);
  for (const line of [
    /stranger joined$/m,
    new RegExp(`house-requester offers 10 NET for ${orderId}$`, 'm'),
    new RegExp(`stranger takes ${orderId}$`, 'm'),
    new RegExp(`accepts ${orderId} \\(2 of 3\\)$`, 'm'),
    new RegExp(`stranger is paid 10 NET for ${orderId}$`, 'm'),
  ]) {
    await until(String(line), () => line.test(dev.stdout) || null);
  }
  assert.ok(!dev.stdout.includes('\u001b'), 'no colours where there is no terminal');
});
