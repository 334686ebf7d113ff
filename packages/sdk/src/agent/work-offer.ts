import { FormatError, isSealed, openContent, workScope, type WorkScope } from '@netd/formats';
import { netText, sha256Hex, type WorkPolicy } from '@netd/protocol';
import type { NetAmount } from '../amount.ts';
import type { OptionNames } from '../option-names.ts';
import { AgentError, codeOf } from './agent-error.ts';
import { unetOf } from './amount.ts';
import type { AgentParts, WorkOrder } from './parts.ts';
import type { RetryPolicy } from './retry-policy.ts';
import type { TypeSchema } from './type-schema.ts';
import { requireWorkable } from './workable.ts';

/** Options of `onWork`, which select the orders that the agent accepts. */
export interface WorkOptions {
  /** Least funding: '1 NET' or unet; default `minimumFunding` of the network's policy. */
  minFunding?: NetAmount | number | undefined;
  /** Orders that require one of these, or nothing, match. Default those of the beacon. */
  capabilities?: readonly string[] | undefined;
  /** Highest bond: '1 NET' or unet; default 0. */
  maxWorkerBond?: NetAmount | number | undefined;
  /** Handlers that run at once; default 1. */
  concurrency?: number | undefined;
  /** Calls of a handler that fails; default three, and then the order is given back. */
  retry?: RetryPolicy | undefined;
  /** Returns true to accept an order that passed all checks. */
  accept?: ((offer: WorkOffer) => boolean | Promise<boolean>) | undefined;
}

/** Options of `onWork` with types of input or result. */
export interface TypedWorkOptions<Input, Result> extends WorkOptions {
  /** Type of the input. The agent skips an order if its input does not parse. */
  job: TypeSchema<unknown, Input>;
  /** Type of the result, which is then delivered as JSON. */
  returns: TypeSchema<unknown, Result>;
}

export const WORK_OPTIONS: OptionNames<TypedWorkOptions<unknown, unknown>> = {
  job: true,
  returns: true,
  minFunding: true,
  capabilities: 'texts',
  maxWorkerBond: true,
  concurrency: 'count',
  retry: true,
  accept: 'function',
};

/** An order with its scope, checked against its hash. */
export interface WorkOffer {
  /** The order as the chain has it. */
  order: WorkOrder;
  /** Untrusted content: never instructions to a model. */
  scope: WorkScope;
  /** True if the scope is sealed to this agent. The result is then sealed to the requester. */
  sealed: boolean;
}

type Terms = Pick<WorkOrder, 'requesterId' | 'requirements' | 'funding' | 'workerBond'>;

async function minimumOf({ retryingClient }: Pick<AgentParts, 'retryingClient'>): Promise<number> {
  const policy = (await retryingClient.state('policy/limits')) as {
    work: Pick<WorkPolicy, 'minimumFunding'>;
  };
  return policy.work.minimumFunding;
}

export function leastFunding(
  { minFunding }: WorkOptions,
  parts: Pick<AgentParts, 'retryingClient'>,
): () => Promise<number> {
  let least = minFunding === undefined ? null : unetOf(minFunding, 'minFunding');
  return async () => (least ??= await minimumOf(parts));
}

/** Returns a function that says why an order does not suit, or null. `least` is in unet. */
export function unsuitabilityOf(
  { minFunding, capabilities, maxWorkerBond = 0 }: WorkOptions,
  { agentId, capabilities: own }: Pick<AgentParts, 'agentId' | 'capabilities'>,
): (order: Terms, least: number) => string | null {
  const whose = minFunding === undefined ? 'minimumFunding of the network' : 'minFunding';
  const mostBond = unetOf(maxWorkerBond, 'maxWorkerBond');
  const able = new Set((capabilities ?? own).map(normalizeTag));
  return ({ requesterId, requirements, funding, workerBond }, least) => {
    if (requesterId === agentId) return 'it is an order of this agent itself';
    if (requirements.length > 0 && !requirements.some((one) => able.has(normalizeTag(one))))
      return `it requires ${listed(requirements)}, but this agent offers ${listed([...able])}`;
    if (funding < least) return `it pays ${netText(funding)}, but ${whose} is ${netText(least)}`;
    if (workerBond > mostBond)
      return `it asks for a bond of ${netText(workerBond)}, but maxWorkerBond is ${netText(mostBond)}`;
    return null;
  };
}

export const bondBeyondBalance = (workerBond: number): AgentError =>
  new AgentError(
    'ORDER_UNSUITABLE',
    `it asks for a bond of ${netText(workerBond)}, more than this agent has`,
  );

/** Quotes only a few requirements, because strangers choose them. */
const listed = (words: readonly string[]): string =>
  words.length === 0
    ? 'nothing'
    : words
        .slice(0, 5)
        .map((word) => JSON.stringify(word))
        .join(' or ');

function normalizeTag(text: string): string {
  return text
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/^[ \t-\r_]+|[ \t-\r_]+$/g, '')
    .replaceAll(/[ \t-\r_]+/g, '-');
}

/**
 * @throws AgentError SCOPE_MISSING, SCOPE_SEALED_TO_OTHERS, REQUESTER_HAS_NO_KEY; FormatError if the scope
 *   breaks a rule
 */
export async function fetchScope(
  parts: Pick<AgentParts, 'peers' | 'agentId' | 'chainId' | 'encryption'>,
  order: WorkOrder,
): Promise<{ bytes: Uint8Array; scope: WorkScope; sealed: boolean }> {
  const { peers } = parts;
  const { requesterId } = order;
  const bytes = await scopeBytesOf(parts, order);
  const read = await readScope(parts, order, bytes);
  if (read.sealed && (await peers.metadataOf(requesterId)) === null) {
    throw new AgentError('REQUESTER_HAS_NO_KEY', requesterId);
  }
  return { bytes, ...read };
}

export async function scopeBytesOf(
  { peers }: Pick<AgentParts, 'peers'>,
  { scopeHash, requesterId }: Pick<WorkOrder, 'scopeHash' | 'requesterId'>,
): Promise<Uint8Array> {
  const bytes = await peers.blobOf(scopeHash, requesterId);
  if (bytes === null) throw new AgentError('SCOPE_MISSING', scopeHash);
  return bytes;
}

export function requireSoundScope(content: unknown): void {
  if ((content as { schema?: unknown } | null)?.schema !== 'NET-WORK-SCOPE/1') return;
  workScope.make(content as WorkScope);
}

/**
 * Refuses an undeliverable order, which would occupy the agent. Ignores orders that are not open.
 * @throws AgentError CLOCK_WRONG; the errors of `fetchScope` and `requireWorkable`
 */
export async function requireScope(
  parts: Pick<
    AgentParts,
    'peers' | 'agentId' | 'chainId' | 'encryption' | 'retryingClient' | 'origins'
  >,
  orderId: unknown,
): Promise<void> {
  const order = typeof orderId === 'string' ? await parts.retryingClient.order(orderId) : null;
  if (order?.status !== 'OPEN') return;
  await parts.origins.requireClock();
  const { scope, sealed } = await fetchScope(parts, order);
  await requireWorkable(parts, order, scope, sealed);
}

export async function readScope(
  { agentId, chainId, encryption }: Pick<AgentParts, 'agentId' | 'chainId' | 'encryption'>,
  { scopeHash, requesterId, orderId }: WorkOrder,
  bytes: Uint8Array,
): Promise<{ scope: WorkScope; sealed: boolean }> {
  try {
    return { scope: workScope.read(bytes, scopeHash), sealed: false };
  } catch (error) {
    if (codeOf(error) === 'DOCUMENT_HASH_MISMATCH' || !isSealed(bytes)) throw error;
    const facts = {
      chainId,
      fromAgentId: requesterId,
      toAgentId: agentId,
      orderId,
      part: 'scope',
    } as const;
    if (!encryption) {
      throw new AgentError('SCOPE_SEALED_TO_OTHERS', 'the session reads nothing sealed');
    }
    let opened: Uint8Array;
    try {
      opened = await openContent(bytes, encryption, facts, scopeHash);
    } catch (refusal) {
      if (!(refusal instanceof FormatError)) throw refusal;
      throw new AgentError('SCOPE_SEALED_TO_OTHERS', refusal.message);
    }
    return { scope: workScope.read(opened, sha256Hex(opened)), sealed: true };
  }
}
