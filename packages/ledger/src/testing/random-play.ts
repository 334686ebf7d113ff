/**
 * Turns random numbers into envelopes that nearly fit the state. Every number is valid in every state, so
 * that shrinking works.
 */
import type { JsonObject } from '@netd/protocol';
import { BlockExecution, type Outcome, type Submission } from '../block-execution.ts';
import type { StateReader } from '../state.ts';
import { FURTHER_COMMANDS } from './further-commands.ts';
import { beaconOf, testKey } from '@netd/protocol/testing';
import { requireDeclaredRefusal } from './declared.ts';
import { deepFreeze } from './memory-ledger.ts';
import { operatorCommand } from './operator-play.ts';
import { READINESS_COMMANDS } from './readiness-commands.ts';
import { heartbeatOf } from './refusals/presence.ts';
import { sessionCommand } from './session-play.ts';
import { OPERATOR, submissionOf, type TestChain } from './test-chain.ts';

interface Command {
  /** Each is taken modulo the choices. */
  what: number;
  who: number;
  whom: number;
  how: number;
  /** 0 to 4 spoil the envelope. */
  fault: number;
  /** 0 makes it an operator-play command. */
  office: number;
}

export interface PlayedBlock {
  commands: Command[];
  /** Empty heights before it. */
  idle: number;
  milliseconds: number;
}

const PLAYERS = ['alice', 'bob', 'carol', 'dave', OPERATOR] as const;
const STATUSES = ['active', 'suspended', 'active', 'active', 'active', 'suspended', 'retired'];

const OWN_COMMANDS = 15;
const OTHER_COMMANDS = [...FURTHER_COMMANDS, ...READINESS_COMMANDS];
export const COMMANDS = OWN_COMMANDS + OTHER_COMMANDS.length;

function envelopeOf(
  chain: TestChain,
  command: Command,
  earlier: readonly Submission[],
): Submission {
  const replayed = earlier[command.how % Math.max(1, earlier.length)];
  if (command.fault === 0 && replayed) return replayed;
  if (command.office === 0)
    return operatorCommand(chain, command, (actorId) => followKey(chain, actorId));
  if (command.office === 1 && command.how % 3 === 0) {
    const actor = nameOf(command.who);
    followKey(chain, actor);
    return sessionCommand(chain, actor, nameOf(command.whom), command);
  }
  const further = OTHER_COMMANDS[(command.what % COMMANDS) - OWN_COMMANDS];
  const draw = { ...command, actor: nameOf(command.who), other: nameOf(command.whom) };
  const made = further?.(chain, draw);
  const actor = made ? (made.actor ?? draw.actor) : actorOf(chain, command);
  followKey(chain, actor);
  const options = {
    nonce: `n${command.how % 7}`,
    expiresAtHeight: chain.height + 1 + (command.whom % 4) * 3,
    ...(command.fault === 1 ? { key: testKey('mallory') } : {}),
    ...(command.fault === 2 ? { chainId: 'net-elsewhere-1' } : {}),
    ...(command.fault === 3 ? { expiresAtHeight: chain.height - (command.how % 3) } : {}),
  };
  if (command.what % COMMANDS === 0) {
    const key = testKey(`${actor} ${command.how % 3}`);
    const referrerAgentId = nameOf(command.whom);
    return chain.registration(actor, {
      key: command.fault === 1 ? { ...key, sign: testKey('mallory').sign } : key,
      ...(command.how % 2 === 0 ? {} : { referrerAgentId }),
    });
  }
  if (command.what % COMMANDS === 1)
    return chain.rotation(actor, testKey(`spare ${command.how % 6}`), options);
  if (command.what % COMMANDS === 2) {
    const next = testKey(`spare ${command.how % 6}`);
    return chain.recoveryRequest(actor, guardedBy(chain, actor, command), next, options);
  }
  const [action, payload] = made ? [made.action, made.payload] : actionOf(chain, actor, command);
  return chain.intent(
    actor,
    action,
    command.fault === 4 ? { ...payload, surplus: command.how } : payload,
    options,
  );
}

/** Signs with the key in force after rotations. */
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

/** Mostly a fitting actor. */
function actorOf(chain: TestChain, { what, who, whom, how }: Command): string {
  const subject = pendingOf(chain, whom);
  const request = chain.record('recovery', subject)?.request;
  // Only the operator can change a status.
  if (what % COMMANDS === 12 && who % 2 === 0) return OPERATOR;
  if (!request || how % 8 === 0) return nameOf(who);
  if (what % COMMANDS === 5) return subject;
  const { agentIds } = request.guardians;
  return (
    (what % COMMANDS === 3 || what % COMMANDS === 4 ? agentIds[who % agentIds.length] : null) ??
    nameOf(who)
  );
}

/** Prefers an agent with a pending recovery. */
function pendingOf(chain: TestChain, whom: number): string {
  const pending = PLAYERS.filter((name) => chain.record('recovery', name)?.request);
  return pending[whom % Math.max(1, pending.length)] ?? nameOf(whom);
}

/** Prefers an agent with this guardian. */
function guardedBy(chain: TestChain, guardian: string, { whom, how }: Command): string {
  const guarded = PLAYERS.filter((name) =>
    chain.record('recovery', name)?.guardians.agentIds.includes(guardian),
  );
  return (how % 8 === 0 ? null : guarded[whom % Math.max(1, guarded.length)]) ?? nameOf(whom);
}

function actionOf(
  chain: TestChain,
  actor: string,
  { what, whom, how }: Command,
): [string, JsonObject] {
  const other = nameOf(whom);
  const subject = pendingOf(chain, whom);
  const requestId = requestOf(chain, subject);
  const recovery = { agentId: actor, recoveringAgentId: subject, requestId };
  switch (what % COMMANDS) {
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

/** Mostly back to active, because suspended agents show nothing. */
function statusFor(chain: TestChain, agentId: string, how: number): string {
  const suspended = chain.record('agent', agentId)?.status === 'suspended';
  return suspended && how % 8 !== 0 ? 'active' : (STATUSES[how % STATUSES.length] ?? 'active');
}

const requestOf = (chain: TestChain, agentId: string): string =>
  chain.record('recovery', agentId)?.request?.requestId ?? '00'.repeat(32);

/** Freezes all records, so that a write to a shared one throws. */
export function frozen(reader: StateReader): StateReader {
  return {
    get: (key) => deepFreeze(reader.get(key)),
    due: (queue, upTo, limit) => reader.due(queue, upTo, limit),
    spentNonceExpiry: (hash) => reader.spentNonceExpiry(hash),
  };
}

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
  for (const command of block.commands) {
    const honest = envelopeOf(chain, command, earlier);
    const submission = submissionOf(honest.kind, honest.envelope);
    const outcome = observe(execution, submission, () => execution.execute(submission));
    requireDeclaredRefusal(submission, outcome);
    earlier.push(submission);
    if (outcome.ok) accepted.push(submission);
  }
  ledger.commit(context, execution.finish(), accepted);
  return accepted;
}
