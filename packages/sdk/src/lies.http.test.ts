/** A node that alters one thing at a time: the verified reader and `netd verify --url` must notice every lie. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyUrl } from '@netd/node/verify';
import { canonicalize } from '@netd/protocol';
import { liesAbout, type Lie, type LieReader } from '@netd/protocol/testing';
import { NetClient } from './client.ts';
import { startLyingNode, type LyingNode } from './testing/lying-node.ts';
import { VerificationError, VerifiedReader } from './verified-reader.ts';

let node: LyingNode;

before(async () => {
  node = await startLyingNode();
});
after(() => node.stop());

/** Readers that must report each lie as a `VerificationError`; any other error is a failure of the reader. */
const READERS: Record<LieReader, () => Promise<unknown>> = {
  state: () => reader().readState('agent/alice'),
  absence: () => reader().readState('agent/nobody'),
  transition: () => reader().readTransition(node.accepted.transitionHash),
  audit: () => reader().readWorkAudit(node.orderId),
  replay: async () => {
    const { genesisHash, proxy } = node;
    const { fault } = await verifyUrl(proxy.url, { genesisHash, minHeight: 1 });
    if (fault) throw new VerificationError(fault.reason);
  },
};
const reader = (): VerifiedReader => {
  const { genesisHash, proxy } = node;
  return new VerifiedReader(new NetClient({ url: proxy.url }), { genesisHash });
};

/** Returns null if the reader reports the lie, else a description of how it got past. */
async function past(lie: Lie, name: LieReader): Promise<string | null> {
  const { proxy } = node;
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

test('every reader reports each lie of the catalogue, and accepts the same node without one', async () => {
  for (const read of Object.values(READERS)) await read();
  const { client, orderId } = node;
  const { transitionHash } = node.accepted;
  const { receipt } = await client.read('/v1/transitions/{transitionHash}', { transitionHash });
  const audit = await client.read('/v1/work-orders/{orderId}/audit', { orderId });
  const heights = audit.timeline.events.map(({ block }) => block.height).join();
  const lies = liesAbout({
    stateProof: await client.read('/v1/state/proof', { key: 'agent/alice' }),
    absenceProof: await client.read('/v1/state/proof', { key: 'agent/nobody' }),
    transition: await client.read('/v1/transitions/{transitionHash}', { transitionHash }),
    block: await client.read('/v1/blocks/{height}', { height: receipt.height }),
    blocks: await client.read('/v1/blocks/whole', { heights }),
    audit,
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
