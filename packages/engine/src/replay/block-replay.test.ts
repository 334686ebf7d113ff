/** Signatures verified before a block is executed count for their own envelope only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize, type JsonObject } from '@netd/protocol';
import { VerifierPool } from '../mempool/verifier-pool.ts';
import { ChainHarness } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { BlockReplay } from './block-replay.ts';
import { snapshotSource } from './block-source.ts';

// The smaller count uses no thread. The larger one goes to threads, in two batches if there are two.
for (const count of [5, 12]) {
  test(`one signature of another envelope among ${count}: that one is not verified, the others are`, async (t) => {
    const harness = await ChainHarness.open({ path: tempDir(t) });
    const verifier = new VerifierPool(2);
    t.after(async () => {
      await verifier.close();
      await harness.close();
    });
    await harness.join('alice');
    await harness.commit(...Array.from({ length: count }, () => harness.gift('alice')));
    const snapshot = harness.store.snapshot();
    const { height } = snapshot;
    const block = await snapshotSource(snapshot, harness.genesis).block(height);
    snapshot.close();
    const replay = new BlockReplay({ state: harness.store, verifier });
    const envelopes = block.transitions.map((text) => JSON.parse(text) as JsonObject);
    const isIntent = (envelope: JsonObject): boolean => envelope['action'] === 'transfer';
    const wrong = envelopes.findIndex(isIntent) + 2;
    const { signature = '' } = envelopes[wrong + 1] ?? {};
    const transitions = envelopes.map((envelope, index) =>
      canonicalize(index === wrong ? { ...envelope, signature } : envelope),
    );
    for await (const prepared of replay.prepareAhead(height, height, () =>
      Promise.resolve({ ...block, transitions }),
    )) {
      const verified = (await prepared.submissions).map(
        (it) => typeof it?.verifiedWith === 'string',
      );
      assert.deepEqual(
        verified,
        envelopes.map((envelope, index) => isIntent(envelope) && index !== wrong),
      );
      assert.equal(verified.filter(Boolean).length, count - 1);
    }
  });
}
