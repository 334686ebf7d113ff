/** Checks that the ledger writes members in canonical order, for speed only (see `canonicalize`). */
import type { ExecutedBlock, Submission } from '../block-execution.ts';

/** Rarely written, so their order does not matter. */
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
 * @param accepted envelopes of the block; values taken from them keep their order
 * @throws Error with the place, if another record or event is out of order
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
