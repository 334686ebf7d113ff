/** Random commands on messages, memory and tokens that mostly fit the state. */
import type { JsonObject } from '@netd/protocol';
import { conversationKey } from '../actions/messages/message.ts';
import type { MemoryLedger } from './memory-ledger.ts';
import { acknowledgementOf, messageOf } from './refusals/messages.ts';
import { attestationOf, handoverOf, offerOf } from './refusals/memory.ts';
import { tokenOf } from './refusals/tokens.ts';
import { scheduleOf } from './rules.ts';
import { evidenceOf, validatorHeartbeatOf } from './staking.ts';
import { checkpointOf, hashOf, testKey } from '@netd/protocol/testing';
import { OPERATOR, type TestChain } from './test-chain.ts';
import { candidateHash, seedEnacted } from './refusals/readiness.ts';

interface Draw {
  actor: string;
  other: string;
  whom: number;
  how: number;
}

export type FurtherCommand = (
  chain: TestChain,
  draw: Draw,
) => { actor?: string; action: string; payload: JsonObject };

/** Starts with a provider and a candidate, which claims would add late. */
export function seedPlay(ledger: MemoryLedger): void {
  ledger.seed('runtime-provider', OPERATOR, {
    actorId: OPERATOR,
    bond: 0,
    region: 'eu',
    faultDomain: 'a',
    bondedAtHeight: 0,
    installedAt: { height: 0, index: 0 },
    active: true,
  });
  ledger.seed('counter', 'active-runtime-providers', 1);
  ledger.seed('validator-candidate', OPERATOR, {
    actorId: OPERATOR,
    selfBond: 0,
    consensusPublicKey: testKey(`${OPERATOR} consensus`).publicKey,
    faultDomain: 'a',
    delegated: 0,
    shares: 0,
    delegators: 0,
    unbonding: 0,
    faults: 0,
    nextRewardAt: null,
    bondedAtHeight: 0,
    installedAt: { height: 0, index: 0 },
    active: true,
  });
  ledger.seed('counter', 'active-validator-candidates', 1);
  ledger.seed('counter', 'provider-fault-domains', 1);
  ledger.seed('group-members', 'provider-fault-domains:a', 1);
  seedSealing(ledger);
}

/** Adds an auditor and an enacted genesis. */
function seedSealing(ledger: MemoryLedger): void {
  const common = { active: true, installedAt: { height: 0, index: 0 } };
  ledger.seed('auditor', OPERATOR, {
    actorId: OPERATOR,
    independenceGroup: 'group-0',
    ...common,
  });
  ledger.seed('counter', 'active-auditors', 1);
  ledger.seed('counter', 'auditor-groups', 1);
  ledger.seed('group-members', 'auditor-groups:group-0', 1);
  ledger.seed('counter', 'validator-fault-domains', 1);
  ledger.seed('counter', 'eligible-validator-candidates', 1);
  ledger.seed('group-members', 'validator-fault-domains:a', 1);
  ledger.seed('validator-roster', 'active', { validatorIds: [OPERATOR] });
  seedEnacted(ledger, candidateHash(ledger));
}

function idsOf(chain: TestChain, collection: string): string[] {
  return [...chain.ledger.pairs().keys()]
    .filter((key) => key.startsWith(`${collection}/`))
    .map((key) => key.slice(collection.length + 1))
    .toSorted();
}

const pick = (ids: readonly string[], number: number): string =>
  ids[number % Math.max(1, ids.length)] ?? 'none';

const tokenId = (how: number): string => `tok-${'abc'.charAt(how % 3).repeat(3)}`;

/** Falls back to 'none'. */
function openHandover(chain: TestChain, how: number): { agentId: string; handoverId: string } {
  const open = idsOf(chain, 'memory-handover')
    .map((id) => chain.record('memory-handover', id))
    .filter((record) => record && ['PREPARED', 'TARGET_RESTORED'].includes(record.status));
  const handover = open[how % Math.max(1, open.length)];
  return { agentId: handover?.agentId ?? 'alice', handoverId: handover?.handoverId ?? 'none' };
}

const prepare: FurtherCommand = (chain, { actor, whom, how }) => {
  const movable = idsOf(chain, 'memory');
  const agentId = how % 8 === 0 ? actor : pick(movable, whom);
  const payload = handoverOf(chain, agentId, how % 16 === 1 ? 'again' : chain.freshNonce(), {
    checkpointHash: chain.record('memory', agentId)?.checkpointHash ?? hashOf(0),
    targetProviderId: OPERATOR,
    targetRuntimeId: `runtime-${how % 2}`,
    expiresAtHeight: chain.height + (how % 30),
  });
  return { actor: agentId, action: 'prepareMemoryHandover', payload };
};

/** Mostly the seeded candidate. */
const candidateFor = (chain: TestChain, { whom, how }: Draw): string =>
  how % 4 === 0 ? pick([...idsOf(chain, 'validator-candidate'), 'none'], whom) : OPERATOR;

/** Prepares a handover if none is open. */
const end =
  (action: string): FurtherCommand =>
  (chain, draw) => {
    const payload = openHandover(chain, draw.how);
    return payload.handoverId === 'none'
      ? prepare(chain, draw)
      : { actor: payload.agentId, action, payload };
  };

export const FURTHER_COMMANDS: readonly FurtherCommand[] = [
  (chain, { actor, other, whom, how }) => {
    const conversationId = `c-${whom % 2}`;
    const last = chain.record('conversation', conversationKey(conversationId, actor));
    const payload = messageOf(chain, actor, other, {
      messageId: how % 16 === 0 ? 'again' : chain.freshNonce(),
      conversationId,
      sequence: (last?.lastSequence ?? 0) + (how % 8 === 1 ? 2 : 1),
      expiresAtHeight: chain.height + (how % 5),
      ...(how % 8 === 2 ? { replyTo: pick(idsOf(chain, 'message'), whom) } : {}),
    });
    return { action: 'sendAgentMessage', payload };
  },
  (chain, { actor, whom, how }) => {
    const pending = idsOf(chain, 'message').filter(
      (id) => chain.record('message', id)?.status === 'PENDING' || how % 8 === 0,
    );
    const messageId = pick(pending.toReversed(), whom % 3);
    const recipient = chain.record('message', messageId)?.message.toAgentId;
    const agentId = how % 8 === 1 ? actor : (recipient ?? actor);
    const status = how % 2 === 0 ? 'DELIVERED' : 'REJECTED';
    return {
      actor: agentId,
      action: 'acknowledgeAgentMessage',
      payload: acknowledgementOf(agentId, messageId, status),
    };
  },
  (chain, { actor, how }) => {
    const memory = chain.record('memory', actor);
    const generation = (memory?.generation ?? 0) + (how % 8 === 0 ? 2 : 1);
    const parentCheckpointHash = how % 8 === 1 ? hashOf(0) : (memory?.checkpointHash ?? null);
    const payload = checkpointOf(actor, generation, { parentCheckpointHash });
    return { action: 'commitMemoryCheckpoint', payload };
  },
  (chain, { whom, how }) => ({
    actor: OPERATOR,
    action: 'registerRuntimeOffer',
    payload: offerOf(chain, OPERATOR, `runtime-${whom % 2}`, {
      expiresAtHeight: chain.height + (how % 40),
    }),
  }),
  prepare,
  (chain, draw) => {
    const { handoverId } = openHandover(chain, draw.how);
    return handoverId === 'none' && draw.how % 8 !== 0
      ? prepare(chain, draw)
      : {
          actor: OPERATOR,
          action: 'attestMemoryRestore',
          payload: attestationOf(OPERATOR, handoverId),
        };
  },
  end('finalizeMemoryHandover'),
  end('abortMemoryHandover'),
  (_chain, { actor, whom, how }) => ({
    action: 'createToken',
    payload: tokenOf({
      tokenId: tokenId(how),
      supplyCap: 50,
      initialSupply: whom * 3,
      ...(whom % 3 === 0 ? {} : { mintAuthority: actor }),
    }),
  }),
  (chain, { actor, other, how }) => {
    const authority = chain.record('token', tokenId(how))?.mintAuthority ?? actor;
    return {
      actor: how % 8 === 0 ? actor : authority,
      action: 'mintToken',
      payload: { tokenId: tokenId(how), to: other, amount: how % 30 },
    };
  },
  (chain, { actor, whom, how }) => ({
    actor: whom % 4 === 0 ? (chain.record('token', tokenId(how))?.mintAuthority ?? actor) : actor,
    action: 'renounceMintAuthority',
    payload: { tokenId: tokenId(how) },
  }),
  ...['transferToken', 'burnToken'].map((action): FurtherCommand => (chain, draw) => {
    const holding = pick(idsOf(chain, `token-holder/${tokenId(draw.how)}`), draw.whom);
    const actor = draw.how % 8 === 0 ? draw.actor : holding;
    const amount = 1 + (draw.how % 12);
    const to = action === 'burnToken' ? {} : { to: draw.other };
    return {
      actor: holding === 'none' ? draw.actor : actor,
      action,
      payload: { tokenId: tokenId(draw.how), amount, ...to },
    };
  }),
  (chain, draw) => ({
    action: 'delegate',
    payload: { validatorId: candidateFor(chain, draw), amount: 2 + (draw.how % 10) },
  }),
  (chain, draw) => {
    const delegator = pick(idsOf(chain, 'delegator'), draw.whom);
    const positions = chain.record('delegator', delegator)?.positions ?? [];
    return {
      actor: delegator === 'none' || draw.how % 8 === 0 ? draw.actor : delegator,
      action: 'undelegate',
      payload: {
        validatorId: pick(
          positions.map(({ validatorId }) => validatorId),
          draw.how,
        ),
        ...(draw.how % 3 === 0 ? {} : { amount: 1 + (draw.how % 12) }),
      },
    };
  },
  (chain, draw) => {
    const validatorId = candidateFor(chain, draw);
    const sequence = (chain.record('validator-heartbeat', validatorId)?.sequence ?? 0) + 1;
    return {
      actor: validatorId === 'none' ? draw.actor : validatorId,
      action: 'submitValidatorHeartbeat',
      payload: validatorHeartbeatOf(chain, validatorId, {
        sequence: sequence - (draw.how % 8 === 1 ? 1 : 0),
        region: `region-${draw.how % 3}`,
      }),
    };
  },
  (chain, draw) => {
    const validatorId = candidateFor(chain, draw);
    const evidence = evidenceOf(chain, validatorId, draw.how % 3);
    // Half of the evidence is invalid, because a fault ends all delegation.
    const conflicting = draw.whom % 2 === 0 ? {} : { second: evidence['first'] ?? null };
    return {
      actor: OPERATOR,
      action: 'submitValidatorEvidence',
      payload: { ...evidence, ...conflicting },
    };
  },
  (chain, { actor, whom, how }) =>
    how % 4 === 0
      ? {
          actor: OPERATOR,
          action: 'scheduleRules',
          payload: scheduleOf(chain, { height: chain.height + 4 + (whom % 4) }),
        }
      : how % 4 === 3
        ? {
            actor: OPERATOR,
            action: 'reserveName',
            payload: {
              actorId: how % 8 === 7 ? actor : `house-${how % 3}`,
              publicKeyHash: testKey(`house ${whom % 3}`).publicKeyHash,
            },
          }
        : {
            actor: OPERATOR,
            action: 'fundRewardPool',
            payload: { amount: 1 + whom, ...(how % 2 === 0 ? {} : { source: 'treasury' }) },
          },
];
