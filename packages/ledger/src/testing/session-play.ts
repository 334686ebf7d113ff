/** Random commands by sessions; see random-play.ts. */
import type { Submission } from '../block-execution.ts';
import type { SessionRecord } from '../actions/sessions/records.ts';
import { bySession, grantOf } from './sessions.ts';
import type { TestChain } from './test-chain.ts';

interface SessionCommand {
  whom: number;
  how: number;
}

/** Pays or ends a session, or grants one if there is none. */
export function sessionCommand(
  chain: TestChain,
  actor: string,
  other: string,
  { whom, how }: SessionCommand,
): Submission {
  const live = [...chain.ledger.pairs()]
    .filter(([key]) => key.startsWith('session/'))
    .map(([, text]) => JSON.parse(text) as SessionRecord);
  const session = live[whom % Math.max(1, live.length)];
  if (!session || how % 4 === 0) {
    return grantOf(chain, actor, `session-${chain.freshNonce()}`, {
      members: {
        actions: [how % 8 === 0 ? 'transfer' : 'publishBeacon'],
        budget: how,
        expiresAtHeight: chain.height + 1 + (how % 8),
      },
    });
  }
  const { agentId, sessionId } = session;
  return how % 4 === 1
    ? bySession(chain, [agentId, sessionId], 'revokeSession', { agentId, sessionId })
    : bySession(chain, [agentId, sessionId], 'transfer', { to: other, amount: 1 + (how % 20) });
}
