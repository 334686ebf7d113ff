import { testKey, torsionKey } from '@netd/protocol/testing';
import { MAX_SESSIONS } from '../../actions/sessions/session.ts';
import { TIMER_LIMITS } from '../../timer-queue.ts';
import { bySession, granted, grantOf, sessionKeyOf } from '../sessions.ts';
import type { TestChain } from '../test-chain.ts';
import { refuse, type RefusalCase } from './case.ts';

const GRANT = 'grantSession';
const INTENT = 'SignedIntent';

const funded = (chain: TestChain): TestChain => chain.does('alice', 'faucet', { amount: 1_000 });
const pay = (chain: TestChain, amount: number) =>
  bySession(chain, ['alice', 's-1'], 'transfer', { to: 'bob', amount });

export const SESSION_REFUSALS: RefusalCase[] = [
  refuse(INTENT, 'SESSION_UNKNOWN', 'a session cannot sign before it is granted', (chain) =>
    pay(funded(chain), 1),
  ),
  refuse(INTENT, 'SESSION_EXPIRED', 'a session counts no longer than its last height', (chain) => {
    granted(funded(chain), 'alice', 's-1');
    const session = chain.record('session', 'alice/s-1');
    if (!session) throw new Error('the session was not granted');
    const ended = { ...session, expiresAtHeight: chain.height };
    chain.ledger.seed('session', 'alice/s-1', ended);
    // Fills the block's limit, so that this timer is late.
    for (let i = 0; i < TIMER_LIMITS.expireSession; i++) {
      const sessionId = `a-${i}`;
      chain.ledger.seed('session', `alice/${sessionId}`, { ...ended, sessionId });
    }
    return pay(chain, 1);
  }),
  refuse(
    INTENT,
    'SIGNATURE_INVALID',
    'the key of a session signs for that session only',
    (chain) => {
      granted(granted(funded(chain), 'alice', 's-1'), 'alice', 's-2');
      return chain.intent(
        'alice',
        'transfer',
        { to: 'bob', amount: 1 },
        { key: sessionKeyOf('alice', 's-1'), extra: { sessionId: 's-2' } },
      );
    },
  ),
  refuse(
    INTENT,
    'SIGNATURE_INVALID',
    'the key of a session does not sign as its agent',
    (chain) => {
      granted(funded(chain), 'alice', 's-1');
      const key = sessionKeyOf('alice', 's-1');
      return chain.intent('alice', 'transfer', { to: 'bob', amount: 1 }, { key });
    },
  ),
  refuse(INTENT, 'SESSION_ACTION_MISSING', 'a session does what it was granted', (chain) => {
    granted(chain, 'alice', 's-1');
    return bySession(chain, ['alice', 's-1'], 'faucet', { amount: 1 });
  }),
  ...['grantSession', 'rotateAgentKey', 'setAgentRecovery', 'extendAgentCapabilities'].map(
    (action) =>
      refuse(INTENT, 'SESSION_ACTION_MISSING', `a session never does ${action}`, (chain) => {
        granted(chain, 'alice', 's-1');
        return bySession(chain, ['alice', 's-1'], action, { agentId: 'alice' });
      }),
  ),
  refuse(INTENT, 'SESSION_AMOUNT_EXCEEDED', 'one execution takes at most maxAmount', (chain) =>
    pay(granted(funded(chain), 'alice', 's-1', { maxAmount: 10 }), 11),
  ),
  refuse(INTENT, 'SESSION_BUDGET_EXCEEDED', 'what has left counts for good', (chain) => {
    granted(funded(chain), 'alice', 's-1');
    chain.submit(pay(chain, 60));
    return pay(chain, 41);
  }),
  refuse(GRANT, 'SESSION_EXISTS', 'a live session keeps its id', (chain) =>
    grantOf(granted(chain, 'alice', 's-1'), 'alice', 's-1', { key: testKey('another') }),
  ),
  refuse(GRANT, 'SESSION_LIMIT', 'an agent has at most sixteen', (chain) => {
    for (let i = 0; i < MAX_SESSIONS; i++) granted(chain, 'alice', `s-${i}`);
    return grantOf(chain, 'alice', 'one-more');
  }),
  refuse(GRANT, 'SESSION_EXPIRED', 'a session has a height to live', (chain) =>
    grantOf(chain, 'alice', 's-1', { members: { expiresAtHeight: chain.height } }),
  ),
  refuse(GRANT, 'PUBLIC_KEY_INVALID', 'a text that is not SPKI PEM is no key', (chain) =>
    grantOf(chain, 'alice', 's-1', { members: { publicKey: 'a key' } }),
  ),
  refuse(GRANT, 'PUBLIC_KEY_INVALID', 'a key with a torsion part is refused', (chain) =>
    grantOf(chain, 'alice', 's-1', { key: torsionKey('alice') }),
  ),
  refuse(GRANT, 'PUBLIC_KEY_HASH_MISMATCH', 'publicKeyHash is that of the PEM text', (chain) =>
    grantOf(chain, 'alice', 's-1', { members: { publicKeyHash: testKey('bob').publicKeyHash } }),
  ),
  refuse(GRANT, 'KEY_ALREADY_REGISTERED', 'the own key is no session key', (chain) =>
    grantOf(chain, 'alice', 's-1', { key: testKey('alice') }),
  ),
  refuse(GRANT, 'KEY_ALREADY_REGISTERED', 'a session key is used once', (chain) => {
    granted(chain, 'alice', 's-1').does('alice', 'revokeSession', {
      agentId: 'alice',
      sessionId: 's-1',
    });
    return grantOf(chain, 'alice', 's-1');
  }),
  refuse(
    GRANT,
    'SESSION_KEY_PROOF_INVALID',
    'a grant proves possession of the session key',
    (chain) => {
      const { publicKey, publicKeyHash } = testKey('stolen');
      return grantOf(chain, 'alice', 's-1', { members: { publicKey, publicKeyHash } });
    },
  ),
  refuse(GRANT, 'SESSION_TOO_WIDE', 'a session is no wider than its agent', (chain) =>
    grantOf(chain, 'alice', 's-1', { members: { actions: ['transfer', 'createToken'] } }),
  ),
  refuse('revokeSession', 'SESSION_UNKNOWN', 'what is not there is not ended', (chain) =>
    chain.intent('alice', 'revokeSession', { agentId: 'alice', sessionId: 's-1' }),
  ),
  refuse('revokeSession', 'SESSION_NOT_OWN', 'a session ends itself only', (chain) => {
    granted(granted(chain, 'alice', 's-1'), 'alice', 's-2');
    const payload = { agentId: 'alice', sessionId: 's-2' };
    return bySession(chain, ['alice', 's-1'], 'revokeSession', payload);
  }),
];
