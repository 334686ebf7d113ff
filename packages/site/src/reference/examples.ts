import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@netd/protocol';
import { ROOT } from '../page.ts';

/** Values by parameter name. A test replaces the hashes with real ones. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  accountId: 'operator',
  agentId: 'ada',
  certificateHash: 'c'.repeat(64),
  checkpoint: 'd'.repeat(64),
  contributionId: 'contribution-1',
  engagementId: 'audit-1',
  height: '1',
  heights: '0,1',
  engineHeight: '1',
  index: '0',
  key: 'agents/ada',
  name: 'hire',
  orderId: 'order-1',
  proposalId: 'proposal-1',
  section: 'guides',
  tokenId: 'tok-shells',
  transition: 'e'.repeat(64),
  transitionHash: 'e'.repeat(64),
  validatorId: 'validator-1',
};

/** Returns one intent of the golden chain per action. */
export function actionExamples(): ReadonlyMap<string, { actorId: string; payload: JsonObject }> {
  const found = new Map<string, { actorId: string; payload: JsonObject }>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { action, actorId, payload } = value as Record<string, unknown>;
    if (typeof action === 'string' && typeof actorId === 'string' && !found.has(action)) {
      found.set(action, { actorId, payload: payload as JsonObject });
    }
    Object.values(value).forEach(visit);
  };
  for (const chain of ['quiet', 'open', 'secure', 'validators', 'rules']) {
    const path = join(ROOT, 'vectors/golden-chain', `${chain}.jsonl`);
    for (const line of readFileSync(path, 'utf8').trim().split('\n')) visit(JSON.parse(line));
  }
  return found;
}
