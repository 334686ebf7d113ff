/** Sealing a mainnet. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validateGenesis } from './genesis.ts';
import { stake } from './testing/contributions.ts';
import { accepted, refused } from './testing/expectations.ts';
import { candidateOf, decided, failing, readiness, sealing } from './testing/mainnet.ts';
import { MemoryLedger } from './testing/memory-ledger.ts';
import { OPERATOR } from './testing/test-chain.ts';

describe('a network that works, governs and audits', () => {
  test('seals the genesis it has voted on, once, and that starts a chain', () => {
    const chain = decided();
    const { genesis, genesisHash } = candidateOf(chain);
    accepted(chain.submit(sealing(chain)));
    const sealed = chain.record('sealed-genesis', 'mainnet');
    assert.deepEqual(
      [sealed?.genesis, sealed?.genesisHash, sealed?.proposalId, sealed?.sealedBy],
      [genesis, genesisHash, 'p-2', 'alice'],
    );
    assert.equal(sealed?.readinessHash, readiness(chain).readinessHash);
    refused(chain, sealing(chain), 'GENESIS_ALREADY_SEALED');
    assert.equal(validateGenesis(genesis), null);
    assert.equal(new MemoryLedger(genesis).tip.height, 0);
  });

  test('cannot seal without a vote, or while a gate fails again', () => {
    const chain = decided();
    const { genesisHash } = candidateOf(chain);
    stake(chain, 'alice');
    refused(chain, sealing(chain), 'GENESIS_NOT_ENACTED');
    refused(chain, sealing(chain, genesisHash), 'GENESIS_HASH_MISMATCH');
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'rita', status: 'retired' });
    assert.deepEqual(failing(chain), ['runtime-providers', 'provider-fault-domains']);
    refused(chain, sealing(chain, genesisHash), 'READINESS_GATES_FAILING');
  });

  test('gets the same roots from its blocks again', () => {
    const chain = decided();
    accepted(chain.submit(sealing(chain)));
    const replay = new MemoryLedger(chain.ledger.genesis);
    for (const { context, submissions, stateRoot } of chain.ledger.blocks) {
      replay.advance(context.height - replay.tip.height - 1, 0);
      replay.execute(submissions, context);
      assert.equal(replay.tip.stateRoot, stateRoot);
    }
  });
});
