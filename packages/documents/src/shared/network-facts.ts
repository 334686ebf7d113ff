import type { CounterName } from '@netd/ledger';
import { GenesisFork, Hash, RECENT_ROOTS, Timestamp, type CertificateScheme } from '@netd/protocol';
import { exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { counterOf } from './counter.ts';

export const MODES: Record<CertificateScheme, 'SINGLE_VALIDATOR_DEVNET' | 'BFT_DEVNET'> = {
  'ed25519-statement-v1': 'SINGLE_VALIDATOR_DEVNET',
  'cometbft-commit-v0.38': 'BFT_DEVNET',
};

export const NetworkMode = Type.Enum(Object.values(MODES), {
  description:
    'SINGLE_VALIDATOR_DEVNET: one validator orders and certifies, final by its signature, not by a majority. BFT_DEVNET: validators order by CometBFT, final by more than two thirds of the voting power.',
});

export const NetworkIdentity = exactly(
  {
    epoch: Type.Integer(),
    genesisHash: Hash,
    genesisTime: Timestamp,
    mode: NetworkMode,
    open: Type.Boolean({
      description: 'Whether this chain takes unsigned payloads on four paths.',
    }),
    laboratory: Type.Boolean({
      description:
        'Whether this chain is for tests: its time moves on demand, its NET is worth nothing.',
    }),
    fork: Type.Optional(GenesisFork),
  },
  { title: 'NetworkIdentity', description: 'The genesis hash names the network beyond doubt.' },
);

export function networkIdentity(snapshot: Snapshot): Static<typeof NetworkIdentity> {
  const identity = snapshot.get('chain', 'identity');
  if (!identity) throw new Error('the state has no chain identity');
  const { epoch, genesisHash, genesisTime, open, laboratory = false, fork } = identity;
  const mode = MODES[snapshot.block.certificate.scheme];
  const forked = fork === undefined ? {} : { fork };
  return { epoch, genesisHash, genesisTime, mode, open, laboratory, ...forked };
}

const Count = Type.Integer({ minimum: 0 });
const MAX_COUNTED_NODES = 1_000;

export const Participation = exactly(
  {
    agents: exactly({ registered: Count, active: Count }),
    referrals: exactly({ pending: Count, qualified: Count }),
    workOrders: exactly({
      created: Count,
      open: Count,
      accepted: Count,
      verifying: Count,
      paid: Count,
      rejected: Count,
    }),
    messages: exactly({ committed: Count, live: Count }),
    memory: exactly({ checkpoints: Count, handovers: Count, openHandovers: Count }),
    infrastructure: exactly({
      verifiers: Count,
      validatorCandidates: Count,
      runtimeProviders: Count,
      auditors: Count,
      followerNodes: Type.Integer({
        minimum: 0,
        description: `Whose last heartbeat is at most ${RECENT_ROOTS} heights old; up to ${MAX_COUNTED_NODES} are counted.`,
      }),
      followerNodesEver: Count,
    }),
    tokens: Count,
  },
  { title: 'Participation', description: 'Counters kept in state.' },
);

export function participation(snapshot: Snapshot): Static<typeof Participation> {
  const count = (name: CounterName): number => counterOf(snapshot, name);
  const qualified = count('qualified-referrals');
  return {
    agents: { registered: count('agents'), active: count('active-agents') },
    referrals: { pending: count('referrals') - qualified, qualified },
    workOrders: {
      created: count('work-orders'),
      open: count('work-orders-open'),
      accepted: count('work-orders-accepted'),
      verifying: count('work-orders-verifying'),
      paid: count('work-orders-paid'),
      rejected: count('work-orders-rejected'),
    },
    messages: { committed: count('messages'), live: count('live-messages') },
    memory: {
      checkpoints: count('memory-checkpoints'),
      handovers: count('memory-handovers'),
      openHandovers: count('open-memory-handovers'),
    },
    infrastructure: {
      verifiers: count('active-verifiers'),
      validatorCandidates: count('active-validator-candidates'),
      runtimeProviders: count('active-runtime-providers'),
      auditors: count('active-auditors'),
      followerNodes: liveFollowers(snapshot),
      followerNodesEver: count('node-heartbeats'),
    },
    tokens: count('tokens'),
  };
}

/** Counts live followers from the start of the list, which is ordered by last heartbeat. */
function liveFollowers(snapshot: Snapshot): number {
  const { items } = snapshot.list('node-heartbeat', 'nodes', { limit: MAX_COUNTED_NODES });
  return items.filter(({ receivedAt }) => snapshot.height - receivedAt.height <= RECENT_ROOTS)
    .length;
}
