/** Envelopes of simulated clients, some at the ledger's limits and some beyond. */
import type { Submission } from '@netd/ledger';
import { beaconOf } from '@netd/ledger/testing';
import type { ChainHarness } from '../chain-harness.ts';
import type { Random } from './random.ts';

const CLIENTS = Array.from({ length: 8 }, (_, i) => `agent-${i}`);

export class SimulatedClients {
  private readonly random: Random;
  private readonly sequences = new Map<string, number>();
  private nonces = 0;

  constructor(random: Random) {
    this.random = random;
  }

  /** Makes a new envelope, signed for the chain's current state. */
  envelope(harness: ChainHarness): Submission {
    const { random } = this;
    const actor = random.pick(CLIENTS);
    const other = random.pick(CLIENTS);
    const expiresAtHeight = harness.chain.height + random.pick([1, 2, 5, 40, 400]);
    // Few distinct nonces, so that some are reused after expiry.
    const nonce = random.chance(0.2) ? `again-${random.below(5)}` : `n-${++this.nonces}`;
    const members = { nonce, expiresAtHeight };
    switch (random.below(7)) {
      case 0:
        return harness.registration(actor, random.chance(0.5) ? { referrerAgentId: other } : {});
      case 1:
        return harness.intent(
          actor,
          'extendAgentCapabilities',
          { agentId: actor, actions: ['transfer', 'faucet'] },
          members,
        );
      case 2:
        return harness.intent(actor, 'faucet', { amount: 1 + random.below(1_000) }, members);
      case 3: {
        const sequence = (this.sequences.get(actor) ?? 0) + random.below(3);
        this.sequences.set(actor, sequence);
        const beacon = beaconOf(actor, harness.chain.height, {
          sequence: Math.max(1, sequence),
          expiresAtHeight: harness.chain.height + 1 + random.below(20),
        });
        return harness.intent(actor, 'publishBeacon', beacon, members);
      }
      case 4:
        return harness.intent(actor, 'withdrawBeacon', { agentId: actor }, members);
      case 5:
        return harness.gift(actor, 1 + random.below(1_000), members);
      default:
        return harness.intent(
          actor,
          'transfer',
          { to: other, amount: 1 + random.below(500) },
          members,
        );
    }
  }
}
