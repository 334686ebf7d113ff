/** Follows the document from failing gates to a sealed genesis. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  candidateHash,
  EASY_READINESS,
  seedEnacted,
  sealOf,
  TestChain,
  withCandidate,
} from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { renderOnChain } from '../testing/render-on-chain.ts';
import { mainnetReadiness } from './mainnet-readiness.ts';

const documentOf = (t: TestContext, chain: TestChain): Promise<JsonObject> =>
  renderOnChain(t, chain, mainnetReadiness);

const lastStep = ({ steps }: JsonObject): unknown => (steps as JsonObject[]).at(-1)?.['action'];

test('goes from failing gates over governance and sealing to the sealed genesis', async (t) => {
  const chain = new TestChain({ policy: { readiness: EASY_READINESS } }).join(['alice']);
  const young = await documentOf(t, chain);
  assert.deepEqual([young['status'], young['candidate']], ['GATES_FAILING', null]);
  // There is no genesisHash to propose yet.
  assert.ok((young['steps'] as JsonObject[]).every(({ gate }) => gate !== null));
  for (const gate of young['gates'] as { actual: number; required: number; detail: string }[]) {
    const { actual, required, detail } = gate;
    const told = [
      'The chain takes signed envelopes only.',
      `: ${actual} of at least ${required}.`,
      `: ${actual}, and there may be none.`,
    ];
    assert.ok(
      told.some((end) => detail.endsWith(end)),
      detail,
    );
  }

  withCandidate(chain);
  const ready = await documentOf(t, chain);
  const genesisHash = candidateHash(chain.ledger);
  assert.deepEqual(
    [ready['status'], ready['ready'], ready['genesisHash'], ready['enactedProposal']],
    ['AWAITING_GOVERNANCE', true, genesisHash, null],
  );
  assert.match(String(lastStep(ready)), /^submitProposal/);

  seedEnacted(chain.ledger, genesisHash);
  const enacted = await documentOf(t, chain);
  assert.equal(enacted['status'], 'SEALABLE');
  assert.deepEqual(enacted['enactedProposal'], {
    proposalId: `proposal-${genesisHash.slice(0, 8)}`,
  });
  assert.equal(lastStep(enacted), 'sealMainnetGenesis');

  chain.does('alice', 'sealMainnetGenesis', sealOf(chain, 'alice'));
  const sealed = await documentOf(t, chain);
  assert.deepEqual([sealed['status'], sealed['steps']], ['SEALED', []]);
  assert.deepEqual(sealed['sealed'], chain.record('sealed-genesis', 'mainnet'));

  // Later candidates don't change the sealed genesis.
  withCandidate(chain, 'alice');
  const later = await documentOf(t, chain);
  assert.equal((later['sealed'] as JsonObject)['genesisHash'], genesisHash);
  assert.notEqual(later['genesisHash'], genesisHash);
});

test('does not call an enacted candidate sealable while a gate fails', async (t) => {
  const chain = withCandidate(new TestChain());
  seedEnacted(chain.ledger, candidateHash(chain.ledger));
  const document = await documentOf(t, chain);
  assert.deepEqual([document['status'], document['ready']], ['GATES_FAILING', false]);
  assert.notEqual(lastStep(document), 'sealMainnetGenesis');
});
