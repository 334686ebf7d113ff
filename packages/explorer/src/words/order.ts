import type { OrderPhase } from '@netd/protocol/sentences';

export type Column = 'open' | 'working' | 'checking' | 'ended';

const COLUMNS: Record<OrderPhase, Column> = {
  OPEN: 'open',
  ACCEPTED: 'working',
  DRAWING: 'checking',
  REVIEW: 'checking',
  REVEAL: 'checking',
  VERIFIED: 'checking',
  VOTED_DOWN: 'checking',
  UNJUDGED: 'checking',
  CONTESTED: 'checking',
  DISPUTED: 'checking',
  ENDED: 'ended',
};

export function columnOf({ phase }: { phase: OrderPhase }): Column {
  return COLUMNS[phase] ?? 'ended';
}

export function missing(
  requirements: readonly string[],
  capabilities: readonly string[],
): string[] {
  const held = new Set(capabilities);
  return requirements.filter((one) => !held.has(one));
}
