import { ActorId, Hash, RECENT_ROOTS } from '@netd/protocol';
import { Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { genesisCandidate, readinessOf } from '../../readiness.ts';
import { RuleError } from '../../rule-error.ts';
import { positionOf } from '../../transition.ts';
import { enactedProposal } from '../governance/proposals.ts';

export const sealMainnetGenesis = defineAction({
  name: 'sealMainnetGenesis',
  summary:
    'Seal the genesis of the chain that follows this one: once, when all readiness gates pass and governance has enacted its hash.',
  grant: { AGENT: 'base' },
  payload: Type.Object(
    {
      agentId: ActorId,
      genesisHash: Type.String({
        ...Hash,
        description: 'Of the candidate that GET /v1/mainnet/readiness shows.',
      }),
    },
    { additionalProperties: false },
  ),
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
    if (chain.open) throw new RuleError('SEALING_OPEN_CHAIN', { path: '/action' });
    if (state.get('sealed-genesis', 'mainnet')) {
      throw new RuleError('GENESIS_ALREADY_SEALED', { path: '/action' });
    }
    const { gates, ready, readinessHash } = readinessOf(state, block.height);
    if (!ready) {
      const failing = gates.filter(({ pass }) => !pass).map(({ id }) => id);
      throw new RuleError('READINESS_GATES_FAILING', {
        path: '/action',
        message: `failing: ${failing.join(', ')}`,
      });
    }
    const proposal = enactedProposal(state, genesisHash);
    if (!proposal) throw new RuleError('GENESIS_NOT_ENACTED', { path });
    const candidate = genesisCandidate(state);
    if (candidate?.genesisHash !== genesisHash) {
      throw new RuleError('GENESIS_HASH_MISMATCH', { path });
    }
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
