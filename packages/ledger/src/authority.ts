/** Roles, the capabilities they carry, and the question whether an authority may do a thing. */
import type { JsonObject } from '@netd/protocol';
import type { Action } from './action.ts';
import type { AuthorityRecord } from './chain-records.ts';
import { RuleError } from './rule-error.ts';

export const ROLES = [
  'AGENT',
  'HUMAN',
  'VERIFIER',
  'VALIDATOR',
  'RUNTIME_PROVIDER',
  'AUDITOR',
  'GOVERNOR',
  'OPERATOR',
] as const;
export type Role = (typeof ROLES)[number];

/** A permission for one action; `*` stands for all and is given by genesis only. */
export interface Capability {
  action: string;
  /** The payload may act for this agent only. */
  agentId?: string;
  /** In unet, for one execution. */
  maxAmount?: number;
  expiresAtHeight?: number;
}

/** What every agent may do from its registration on, bound to itself. */
export const AGENT_BASE_SET = [
  'acceptWork',
  'submitWorkResult',
  'settleVerifiedWork',
  'openDispute',
  'publishBeacon',
  'withdrawBeacon',
  'sendAgentMessage',
  'acknowledgeAgentMessage',
  'commitMemoryCheckpoint',
  'prepareMemoryHandover',
  'finalizeMemoryHandover',
  'abortMemoryHandover',
  'submitProtocolContribution',
  'attributeContributionReceipt',
  'submitNodeHeartbeat',
  'sealMainnetGenesis',
  'rotateAgentKey',
  'setAgentRecovery',
  'requestAgentRecovery',
  'approveAgentRecovery',
  'executeAgentRecovery',
  'cancelAgentRecovery',
  'extendAgentCapabilities',
] as const;

/** What an agent may add to itself with extendAgentCapabilities. */
export const AGENT_POLICY_SET = [
  ...AGENT_BASE_SET,
  'faucet',
  'transfer',
  'createToken',
  'mintToken',
  'renounceMintAuthority',
  'transferToken',
  'burnToken',
  'createWorkOrder',
  'cancelWorkOrder',
  'delegate',
  'undelegate',
] as const;

const TOKEN_ACTIONS = [
  'createToken',
  'mintToken',
  'renounceMintAuthority',
  'transferToken',
  'burnToken',
] as const;

/**
 * What each role may be given at most. AGENT alone carries something by itself, the base set; what the others may do
 * is what their application asked for. OPERATOR is of genesis and has `*`.
 */
export const ROLE_SETS: Readonly<Record<Exclude<Role, 'OPERATOR'>, readonly string[]>> = {
  AGENT: AGENT_POLICY_SET,
  HUMAN: [
    'faucet',
    'transfer',
    ...TOKEN_ACTIONS,
    'createWorkOrder',
    'cancelWorkOrder',
    'settleVerifiedWork',
    'openDispute',
    'delegate',
    'undelegate',
  ],
  VERIFIER: ['voteWork', 'attestProtocolBuild'],
  VALIDATOR: ['submitValidatorHeartbeat'],
  RUNTIME_PROVIDER: ['registerRuntimeOffer', 'attestMemoryRestore'],
  AUDITOR: ['submitAuditFinding', 'reviewProtocolContribution', 'attestWalletDistribution'],
  GOVERNOR: [
    'submitProposal',
    'voteProposal',
    'enactProtocolContribution',
    'recordProtocolRelease',
  ],
};

/** Actions that move NET out of the actor's hands or out of the faucet: unbounded, they need an operator's approval. */
export const SPENDING_ACTIONS: ReadonlySet<string> = new Set([
  'faucet',
  'transfer',
  'createWorkOrder',
  'delegate',
]);

const baseSet: ReadonlySet<string> = new Set(AGENT_BASE_SET);

/** All capabilities of an authority, those its roles carry included: for documents, not for decisions. */
export function effectiveCapabilities(authority: AuthorityRecord): Capability[] {
  const base = authority.roles.includes('AGENT')
    ? AGENT_BASE_SET.map((action) => ({ action, agentId: authority.actorId }))
    : [];
  return [...base, ...authority.capabilities];
}

/**
 * Whether the authority could use the action now at all, whatever the payload.
 * @param currentHeight the last committed height
 */
export function holdsCapability(
  authority: AuthorityRecord,
  action: string,
  currentHeight: number,
): boolean {
  if (authority.roles.includes('AGENT') && baseSet.has(action)) return true;
  return authority.capabilities.some(
    (held) => (held.action === action || held.action === '*') && !hasExpired(held, currentHeight),
  );
}

export function hasExpired({ expiresAtHeight }: Capability, currentHeight: number): boolean {
  return expiresAtHeight !== undefined && expiresAtHeight <= currentHeight;
}

/**
 * Refuses unless one held capability covers the action, the agent it acts for, the amount and the height.
 * @param action its `amount` names the payload member that says what it moves, in unet
 * @param currentHeight the last committed height
 * @throws RuleError CAPABILITY_MISSING, CAPABILITY_EXPIRED, CAPABILITY_AGENT_MISMATCH, CAPABILITY_AMOUNT_EXCEEDED
 */
export function requireCapability(
  authority: AuthorityRecord,
  { name, amount: spends, agentIdIsTarget }: Pick<Action, 'name' | 'amount' | 'agentIdIsTarget'>,
  payload: JsonObject,
  currentHeight: number,
): void {
  const actsFor = agentIdIsTarget ? undefined : payload['agentId'];
  // Where it is no number, the schema refuses it later.
  const amount = spends === undefined ? undefined : payload[spends];
  let refusal: RuleError | null = null;
  const consider = (held: Capability): boolean => {
    if (hasExpired(held, currentHeight)) {
      refusal ??= new RuleError('CAPABILITY_EXPIRED', { path: '/action' });
      return false;
    }
    if (held.agentId !== undefined && actsFor !== undefined && actsFor !== held.agentId) {
      refusal ??= new RuleError('CAPABILITY_AGENT_MISMATCH', { path: '/payload/agentId' });
      return false;
    }
    if (held.maxAmount !== undefined && typeof amount === 'number' && amount > held.maxAmount) {
      refusal ??= new RuleError('CAPABILITY_AMOUNT_EXCEEDED', {
        path: `/payload/${spends}`,
        message: `at most ${held.maxAmount} unet`,
      });
      return false;
    }
    return true;
  };
  if (authority.roles.includes('AGENT') && baseSet.has(name)) {
    if (consider({ action: name, agentId: authority.actorId })) return;
  }
  for (const held of authority.capabilities) {
    if ((held.action === name || held.action === '*') && consider(held)) return;
  }
  throw refusal ?? new RuleError('CAPABILITY_MISSING', { path: '/action' });
}
