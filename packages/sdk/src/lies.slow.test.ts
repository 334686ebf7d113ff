/** A node that alters one thing at a time: the verified reader and `netd verify --url` must notice every lie. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TamperingProxy } from '@netd/node/testing/tampering-proxy';
import { serve, type RunningNode } from '@netd/node';
import { verifyUrl } from '@netd/node/verify';
import { canonicalize } from '@netd/protocol';
import { liesAbout, type Lie, type LieReader } from '@netd/protocol/testing';
import { AgentKey } from './agent-key.ts';
import { NetClient, type Actor } from './client.ts';

import { VerificationError, VerifiedReader, type Anchor } from './verified-reader.ts';

const ORDER = 'order-1';
const directory = mkdtempSync(join(tmpdir(), 'netd-sdk-lies-'));
let running: RunningNode;
let proxy: TamperingProxy;
let client: NetClient;
let anchor: { genesisHash: string } & Anchor;
let transitionHash: string;

before(async () => {
  running = await serve({ host: '127.0.0.1', port: 0, dataDir: directory, blockTime: 1 });
  proxy = await TamperingProxy.before(running.url);
  client = new NetClient({ url: running.url });
  anchor = { genesisHash: (await client.network()).genesisHash };
  const { actorId, privateKey, publicKey } = running.node.dataDir.operator;
  const operator = { actorId, key: await AgentKey.fromPem({ privateKey, publicKey }) };
  const alice: Actor = { actorId: 'alice', key: await AgentKey.generate() };
  await client.register(alice, { description: 'reads papers' });
  await client.act(operator, 'createWorkOrder', {
    orderId: ORDER,
    title: 'Read a paper',
    scopeHash: 'cd'.repeat(32),
    jobType: 'reading',
    requirements: ['read'],
    funding: 1_000_000,
  });
  const accepted = await client.act(alice, 'acceptWork', { orderId: ORDER, agentId: 'alice' });
  ({ transitionHash } = accepted);
});
after(async () => {
  proxy.close();
  await running.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** What notices a lie in its own words; anything else is a reader that stumbles. */
const READERS: Record<LieReader, () => Promise<unknown>> = {
  state: () => reader().readState('agent/alice'),
  absence: () => reader().readState('agent/nobody'),
  transition: () => reader().readTransition(transitionHash),
  audit: () => reader().readWorkAudit(ORDER),
  replay: async () => {
    const { genesisHash } = anchor;
    const { fault } = await verifyUrl(proxy.url, { genesisHash, minHeight: 1 });
    if (fault) throw new VerificationError(fault.reason);
  },
};
const reader = (): VerifiedReader => new VerifiedReader(new NetClient({ url: proxy.url }), anchor);

/** Null where the lie is named; else how it got past. */
async function past(lie: Lie, name: LieReader): Promise<string | null> {
  let told = false;
  proxy.tamper = (path, document) => {
    if (!path.startsWith(lie.path)) return document;
    const altered = lie.alter(document);
    told ||= canonicalize(altered) !== canonicalize(document);
    return altered;
  };
  try {
    await READERS[name]();
    return told ? 'is believed' : 'was never told';
  } catch (error) {
    if (error instanceof VerificationError && error.message !== '') return null;
    return `ends in ${String(error)}`;
  } finally {
    proxy.tamper = (_path, document) => document;
  }
}

test('whoever verifies notices every lie of the catalogue, and believes the same node without one', async () => {
  for (const read of Object.values(READERS)) await read();
  const { receipt } = await client.read('/v1/transitions/{transitionHash}', { transitionHash });
  const lies = liesAbout({
    stateProof: await client.read('/v1/state/proof', { key: 'agent/alice' }),
    absenceProof: await client.read('/v1/state/proof', { key: 'agent/nobody' }),
    transition: await client.read('/v1/transitions/{transitionHash}', { transitionHash }),
    block: await client.read('/v1/blocks/{height}', { height: receipt.height }),
    audit: await client.read('/v1/work-orders/{orderId}/audit', { orderId: ORDER }),
    genesis: await client.read('/v1/genesis'),
  });
  assert.ok(lies.length > 100, `${lies.length} lies`);
  const unnoticed: string[] = [];
  for (const lie of lies) {
    for (const name of lie.readers) {
      const how = await past(lie, name);
      if (how !== null) unnoticed.push(`${name} reader, ${lie.name}: ${how}`);
    }
  }
  assert.deepEqual(unnoticed, []);
});
