/**
 * What the ledger writes has its members in canonical order, so that the engine itself makes the canonical text: for half the
 * time and an eighth of the memory. Nothing but time depends on it.
 */
import type { ExecutedBlock, Submission } from '../block-execution.ts';

/** Written so seldom that they may list their members in any order, as collections and as events. */
const SELDOM: ReadonlySet<string> = new Set([
  'application',
  'auditor',
  'contribution',
  'contribution-receipt',
  'invitation',
  'proposal-vote',
  'recovery',
  'runtime-offer',
  'runtime-provider',
  'sealed-genesis',
  'validator-candidate',
  'verifier',
  'wallet-distribution',
  'AgentKeyRecovered',
  'AgentKeyRotated',
  'BuildAttested',
  'ContributionReviewed',
  'MainnetGenesisSealed',
  'ProposalPassed',
  'ProposalVoted',
]);

/**
 * @param accepted the envelopes of the block: what is taken from them as it is, or was before, keeps the order of its
 *   sender
 * @throws Error where a record or an event of the block has its members in another order, with the place
 */
export function requireCanonicalOrder(
  { state, events }: Pick<ExecutedBlock, 'state' | 'events'>,
  accepted: readonly Pick<Submission, 'envelope'>[],
): void {
  const sent = new Set<unknown>();
  for (const { envelope } of accepted) collectObjects(envelope, sent);
  for (const { collection, key, after } of state.writes()) {
    if (!collection || SELDOM.has(collection)) continue;
    collectObjects(state.original(key), sent);
    requireInOrder(after, key, sent);
  }
  for (const { type, data } of events) if (!SELDOM.has(type)) requireInOrder(data, type, sent);
}

function collectObjects(value: unknown, into: Set<unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  into.add(value);
  for (const member of Object.values(value)) collectObjects(member, into);
}

function requireInOrder(value: unknown, place: string, sent: ReadonlySet<unknown>): void {
  if (typeof value !== 'object' || value === null || sent.has(value)) return;
  const names = Object.keys(value);
  const ordered = Array.isArray(value) ? names : names.toSorted();
  if (names.some((name, index) => name !== ordered[index])) {
    throw new Error(`${place} has ${names.join(', ')} in this order, not in the canonical one`);
  }
  for (const [name, member] of Object.entries(value)) {
    requireInOrder(member, `${place}/${name}`, sent);
  }
}
