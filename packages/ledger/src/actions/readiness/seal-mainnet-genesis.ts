import { ActorId, Hash, RECENT_ROOTS } from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { genesisCandidate, readinessOf } from '../../readiness.ts';
import { requireThat } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { enactedProposal } from '../governance/proposals.ts';

export const sealMainnetGenesis = defineAction({
  name: 'sealMainnetGenesis',
  summary:
    'Seal the genesis of the chain that follows this one: once, when all readiness gates pass and governance has enacted its hash.',
  grant: { AGENT: 'base' },
  payload: exactly({
    agentId: ActorId,
    genesisHash: Type.String({
      ...Hash,
      description: 'Of the candidate that GET /v1/mainnet/readiness shows.',
    }),
  }),
  actor: 'agentId',
  errors: [
    'SEALING_OPEN_CHAIN',
    'GENESIS_ALREADY_SEALED',
    'READINESS_GATES_FAILING',
    'GENESIS_NOT_ENACTED',
    'GENESIS_HASH_MISMATCH',
  ],
  events: ['MainnetGenesisSealed'],

  check({ state, chain, block }, { genesisHash }) {
    const path = '/payload/genesisHash';
    requireThat(!chain.open, 'SEALING_OPEN_CHAIN', '/action');
    requireThat(!state.get('sealed-genesis', 'mainnet'), 'GENESIS_ALREADY_SEALED', '/action');
    const { gates, ready, readinessHash } = readinessOf(state, block.height);
    requireThat(ready, 'READINESS_GATES_FAILING', '/action', () => {
      const failing = gates.filter(({ pass }) => !pass).map(({ id }) => id);
      return `these are failing: ${failing.join(', ')}`;
    });
    const proposal = enactedProposal(state, genesisHash);
    requireThat(proposal, 'GENESIS_NOT_ENACTED', path);
    const candidate = genesisCandidate(state, block.height);
    requireThat(candidate?.genesisHash === genesisHash, 'GENESIS_HASH_MISMATCH', path);
    return { proposalId: proposal.proposalId, readinessHash, genesis: candidate.genesis };
  },

  apply(context, { agentId, genesisHash }, plan) {
    const { state, chain, block, transitionHash, emit } = context;
    const height = block.height - 1;
    const previous = state.get('recent-root', String(height % RECENT_ROOTS));
    if (previous?.height !== height) throw new Error('the block has not recorded its predecessor');
    const { blockHash, stateRoot } = previous;
    const migration = { blockHash, chainId: chain.chainId, height, stateRoot };
    state.put('sealed-genesis', 'mainnet', {
      genesisHash,
      ...plan,
      migration,
      sealedBy: agentId,
      sealedAt: positionOf(context),
      transitionHash,
    });
    emit('MainnetGenesisSealed', { agentId, genesisHash, ...plan, migration });
  },
});
