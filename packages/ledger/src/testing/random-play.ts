/**
 * Random play: numbers drawn by a property test become envelopes that fit the state they meet, or nearly. Every
 * number means something in every state, so that shrinking keeps working.
 */
import type { JsonObject } from '@netd/protocol';
import { BlockExecution, type Outcome, type Submission } from '../block-execution.ts';
import type { StateReader } from '../state.ts';
import { FURTHER_MOVES } from './further-moves.ts';
import { testKey } from './keys.ts';
import { deepFreeze } from './memory-ledger.ts';
import { operatorMove } from './operator-play.ts';
import { READINESS_MOVES } from './readiness-moves.ts';
import { heartbeatOf } from './refusals/presence.ts';
import { beaconOf, OPERATOR, submissionOf, type TestChain } from './test-chain.ts';

interface Move {
  /** What is done, in whose name, to whom, and how; each is taken modulo what there is. */
  what: number;
  who: number;
  whom: number;
  how: number;
  /** 0 to 4 spoil the envelope in one way, others leave it honest. */
  fault: number;
  /** 0 makes it a move of an applicant or of the operator who decides. */
  office: number;
}

export interface PlayedBlock {
  moves: Move[];
  /** Empty heights before it, and the milliseconds they take. */
  idle: number;
  milliseconds: number;
}

const PLAYERS = ['alice', 'bob', 'carol', 'dave', OPERATOR] as const;
const STATUSES = ['active', 'suspended', 'active', 'active', 'active', 'suspended', 'retired'];

/** Kinds of moves: those of this file, then those of others. */
const OWN_MOVES = 15;
const OTHER_MOVES = [...FURTHER_MOVES, ...READINESS_MOVES];
export const MOVES = OWN_MOVES + OTHER_MOVES.length;

/** The envelope of a move on the chain as it stands. */
function envelopeOf(chain: TestChain, move: Move, earlier: readonly Submission[]): Submission {
  const replayed = earlier[move.how % Math.max(1, earlier.length)];
  if (move.fault === 0 && replayed) return replayed;
  if (move.office === 0) return operatorMove(chain, move, (actorId) => followKey(chain, actorId));
  const further = OTHER_MOVES[(move.what % MOVES) - OWN_MOVES];
  const draw = { ...move, actor: nameOf(move.who), other: nameOf(move.whom) };
  const made = further?.(chain, draw);
  const actor = made ? (made.actor ?? draw.actor) : actorOf(chain, move);
  followKey(chain, actor);
  const options = {
    nonce: `n${move.how % 7}`,
    expiresAtHeight: chain.height + 1 + (move.whom % 4) * 3,
    ...(move.fault === 1 ? { key: testKey('mallory') } : {}),
    ...(move.fault === 2 ? { chainId: 'net-elsewhere-1' } : {}),
    ...(move.fault === 3 ? { expiresAtHeight: chain.height - (move.how % 3) } : {}),
  };
  if (move.what % MOVES === 0) {
    const key = testKey(`${actor} ${move.how % 3}`);
    const referrerAgentId = nameOf(move.whom);
    return chain.registration(actor, {
      key: move.fault === 1 ? { ...key, sign: testKey('mallory').sign } : key,
      ...(move.how % 2 === 0 ? {} : { referrerAgentId }),
    });
  }
  if (move.what % MOVES === 1)
    return chain.rotation(actor, testKey(`spare ${move.how % 6}`), options);
  if (move.what % MOVES === 2) {
    const next = testKey(`spare ${move.how % 6}`);
    return chain.recoveryRequest(actor, guardedBy(chain, actor, move), next, options);
  }
  const [action, payload] = made ? [made.action, made.payload] : actionOf(chain, actor, move);
  return chain.intent(
    actor,
    action,
    move.fault === 4 ? { ...payload, surplus: move.how } : payload,
    options,
  );
}

/** Whoever a sequence of rotations has made the holder of the authority signs with its key. */
function followKey(chain: TestChain, actor: string): void {
  const inForce = chain.record('authority', actor)?.publicKey;
  const names = [
    actor,
    ...[0, 1, 2].map((i) => `${actor} ${i}`),
    ...[0, 1, 2, 3, 4, 5].map((i) => `spare ${i}`),
  ];
  const key = names.map(testKey).find(({ publicKey }) => publicKey === inForce);
  if (key) chain.keys.set(actor, key);
}

const nameOf = (number: number): string => PLAYERS[number % PLAYERS.length] ?? OPERATOR;

/** Mostly somebody for whom the move makes sense: recoveries need the right people at the right time. */
function actorOf(chain: TestChain, { what, who, whom, how }: Move): string {
  const subject = pendingOf(chain, whom);
  const request = chain.record('recovery', subject)?.request;
  // Nobody else can change the status of an agent.
  if (what % MOVES === 12 && who % 2 === 0) return OPERATOR;
  if (!request || how % 8 === 0) return nameOf(who);
  if (what % MOVES === 5) return subject;
  const { agentIds } = request.guardians;
  return (
    (what % MOVES === 3 || what % MOVES === 4 ? agentIds[who % agentIds.length] : null) ??
    nameOf(who)
  );
}

/** An agent with a pending recovery where there is one. */
function pendingOf(chain: TestChain, whom: number): string {
  const pending = PLAYERS.filter((name) => chain.record('recovery', name)?.request);
  return pending[whom % Math.max(1, pending.length)] ?? nameOf(whom);
}

/** An agent that has named the guardian where there is one. */
function guardedBy(chain: TestChain, guardian: string, { whom, how }: Move): string {
  const guarded = PLAYERS.filter((name) =>
    chain.record('recovery', name)?.guardians.agentIds.includes(guardian),
  );
  return (how % 8 === 0 ? null : guarded[whom % Math.max(1, guarded.length)]) ?? nameOf(whom);
}

function actionOf(
  chain: TestChain,
  actor: string,
  { what, whom, how }: Move,
): [string, JsonObject] {
  const other = nameOf(whom);
  const subject = pendingOf(chain, whom);
  const requestId = requestOf(chain, subject);
  const recovery = { agentId: actor, recoveringAgentId: subject, requestId };
  switch (what % MOVES) {
    case 3:
      return ['approveAgentRecovery', recovery];
    case 4:
      return ['executeAgentRecovery', recovery];
    case 5:
      return ['cancelAgentRecovery', { agentId: actor, requestId: requestOf(chain, actor) }];
    case 6: {
      const guardians = PLAYERS.filter(
        (name, i) =>
          name !== actor &&
          ((how >> i) & 1) === 1 &&
          (whom === 0 || chain.record('agent', name)?.status === 'active'),
      );
      const threshold = whom % 4 === 0 ? whom % 3 : Math.min(guardians.length, 1 + (whom % 2));
      return ['setAgentRecovery', { agentId: actor, guardians, threshold }];
    }
    case 7:
    case 8: {
      const sequence = (chain.record('beacon', actor)?.lastSequence ?? 0) + (how % 3);
      const members = { sequence, expiresAtHeight: chain.height + (how % 4) };
      return ['publishBeacon', beaconOf(whom % 5 === 0 ? other : actor, chain.height, members)];
    }
    case 9:
      return ['withdrawBeacon', { agentId: actor }];
    case 10: {
      const sequence = (chain.record('node-heartbeat', actor)?.sequence ?? 0) + (how % 3);
      return ['submitNodeHeartbeat', heartbeatOf(chain, actor, { sequence })];
    }
    case 11: {
      const actions = ['cancelWorkOrder', 'createWorkOrder', 'faucet', 'publishBeacon'];
      return ['extendAgentCapabilities', { agentId: actor, actions: [actions[how % 4] ?? ''] }];
    }
    case 12:
      return ['setAgentStatus', { agentId: other, status: statusFor(chain, other, how) }];
    case 13:
      return ['faucet', { amount: how % 60 }];
    default:
      return ['transfer', { to: other, amount: how % 8 }];
  }
}

/** Mostly back to activity: a play in which nobody can act any more has nothing left to show. */
function statusFor(chain: TestChain, agentId: string, how: number): string {
  const suspended = chain.record('agent', agentId)?.status === 'suspended';
  return suspended && how % 8 !== 0 ? 'active' : (STATUSES[how % STATUSES.length] ?? 'active');
}

const requestOf = (chain: TestChain, agentId: string): string =>
  chain.record('recovery', agentId)?.request?.requestId ?? '00'.repeat(32);

/** The same reader, with everything it hands out frozen: whoever changes a shared record fails at once. */
export function frozen(reader: StateReader): StateReader {
  return {
    get: (key) => deepFreeze(reader.get(key)),
    due: (collection, height, limit) => reader.due(collection, height, limit),
    spentNonceExpiry: (hash) => reader.spentNonceExpiry(hash),
  };
}

/** Plays one block on the chain and commits it. */
export function playBlock(
  chain: TestChain,
  block: PlayedBlock,
  earlier: Submission[],
  observe: (execution: BlockExecution, submission: Submission, outcome: () => Outcome) => Outcome,
): Submission[] {
  const { ledger } = chain;
  if (block.idle > 0) ledger.advance(block.idle, block.milliseconds);
  const context = ledger.nextContext(1 + (block.milliseconds % 100));
  const execution = new BlockExecution(frozen(ledger), context, ledger.tip);
  const accepted: Submission[] = [];
  for (const move of block.moves) {
    const honest = envelopeOf(chain, move, earlier);
    const submission = submissionOf(honest.kind, honest.envelope);
    const outcome = observe(execution, submission, () => execution.execute(submission));
    earlier.push(submission);
    if (outcome.ok) accepted.push(submission);
  }
  ledger.commit(context, execution.finish(), accepted);
  return accepted;
}
