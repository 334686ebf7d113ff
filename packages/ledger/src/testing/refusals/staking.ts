import { UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { MAX_DELEGATIONS, MAX_UNBONDINGS, requireCandidate } from '../../actions/staking/stake.ts';
import type { Deadline } from '../../deadline.ts';
import { StateOverlay } from '../../state.ts';
import {
  addCandidate,
  evidenceOf,
  PURSE,
  readyToStake,
  SELF_BOND,
  validatorHeartbeatOf,
  VALIDATOR,
  voteOf,
} from '../staking.ts';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import type { RefusalCase } from './case.ts';

const NET = UNET_PER_NET;
const EVIDENCE = 'submitValidatorEvidence';
const HEARTBEAT = 'submitValidatorHeartbeat';

const delegates = (chain: TestChain, amount = NET, validatorId = VALIDATOR) =>
  chain.intent('bob', 'delegate', { validatorId, amount });

const delegated = (chain: TestChain, amount = NET, validatorId = VALIDATOR): TestChain =>
  chain.does('bob', 'delegate', { validatorId, amount });

const undelegates = (chain: TestChain, members: JsonObject = {}) =>
  chain.intent('bob', 'undelegate', { validatorId: VALIDATOR, ...members });

const evidence = (chain: TestChain, members: JsonObject = {}) =>
  chain.intent(OPERATOR, EVIDENCE, evidenceOf(chain, VALIDATOR, 7, members));

const beats = (chain: TestChain, members: JsonObject = {}) =>
  chain.intent(VALIDATOR, HEARTBEAT, validatorHeartbeatOf(chain, VALIDATOR, members));

function seedJailed(chain: TestChain, jailedUntil: Deadline): void {
  chain.ledger.seed('validator-liveness', VALIDATOR, {
    jailedUntil,
    jailings: 1,
    lastMissed: 1,
    missed: 3,
    validatorId: VALIDATOR,
    windowFrom: 1,
  });
}

export const STAKING_REFUSALS: RefusalCase[] = [
  {
    subject: 'delegate',
    code: 'VALIDATOR_UNKNOWN',
    rule: 'only candidates take delegations, not every actor',
    provoke: (chain) => delegates(readyToStake(chain), NET, 'carol'),
  },
  {
    subject: 'delegate',
    code: 'VALIDATOR_UNKNOWN',
    rule: 'the validators of genesis take none',
    provoke: (chain) => delegates(readyToStake(chain), NET, 'validator-1'),
  },
  {
    subject: 'delegate',
    code: 'VALIDATOR_INACTIVE',
    rule: 'a revoked candidate takes no delegation',
    provoke: (chain) =>
      delegates(readyToStake(chain).does(OPERATOR, 'revokeAuthority', { actorId: VALIDATOR })),
  },
  {
    subject: 'delegate',
    code: 'VALIDATOR_FAULTY',
    rule: 'who has equivocated takes no delegation',
    provoke: (chain) =>
      delegates(readyToStake(chain).does(OPERATOR, EVIDENCE, evidenceOf(chain)), PURSE),
  },
  {
    subject: 'delegate',
    code: 'DELEGATION_TOO_SMALL',
    rule: 'a delegation is 1 NET at least',
    provoke: (chain) => delegates(readyToStake(chain), NET - 1),
  },
  {
    subject: 'delegate',
    code: 'DELEGATION_TOO_SMALL',
    rule: 'a delegation buys a share at least',
    provoke: (chain) => {
      readyToStake(chain);
      const candidate = requireCandidate(new StateOverlay(chain.ledger), VALIDATOR);
      const pool = { delegated: NET + 1, shares: 1, delegators: 1 };
      chain.ledger.seed('validator-candidate', VALIDATOR, { ...candidate, ...pool });
      return delegates(chain);
    },
  },
  {
    subject: 'delegate',
    code: 'DELEGATION_LIMIT',
    rule: 'an actor delegates to at most 16 candidates',
    provoke: (chain) => {
      readyToStake(chain);
      for (let i = 0; i < MAX_DELEGATIONS; i++) {
        delegated(addCandidate(chain, `val-${i}`), NET, `val-${i}`);
      }
      return delegates(chain);
    },
  },
  {
    subject: 'delegate',
    code: 'INSUFFICIENT_BALANCE',
    rule: 'an actor cannot delegate more than its balance',
    provoke: (chain) => delegates(readyToStake(chain), PURSE + 1),
  },
  {
    subject: 'undelegate',
    code: 'VALIDATOR_UNKNOWN',
    rule: 'stake is undelegated from candidates only',
    provoke: (chain) => undelegates(readyToStake(chain), { validatorId: 'carol' }),
  },
  {
    subject: 'undelegate',
    code: 'DELEGATION_UNKNOWN',
    rule: 'an actor cannot undelegate the stake of another',
    provoke: (chain) =>
      delegated(readyToStake(chain)).intent('carol', 'undelegate', { validatorId: VALIDATOR }),
  },
  {
    subject: 'undelegate',
    code: 'DELEGATION_INSUFFICIENT',
    rule: 'an actor cannot undelegate more than its delegation is worth',
    provoke: (chain) => undelegates(delegated(readyToStake(chain)), { amount: NET + 1 }),
  },
  {
    subject: 'undelegate',
    code: 'DELEGATION_INSUFFICIENT',
    rule: 'what evidence has taken is not undelegated',
    provoke: (chain) => {
      delegated(readyToStake(chain)).does(OPERATOR, EVIDENCE, evidenceOf(chain));
      return undelegates(chain, { amount: (9 * NET) / 10 + 1 });
    },
  },
  {
    subject: 'undelegate',
    code: 'UNBONDING_LIMIT',
    rule: 'an actor has at most 16 unbondings pending',
    provoke: (chain) => {
      delegated(readyToStake(chain));
      for (let i = 0; i < MAX_UNBONDINGS; i++) {
        chain.does('bob', 'undelegate', { validatorId: VALIDATOR, amount: 1 });
      }
      return undelegates(chain);
    },
  },
  {
    subject: HEARTBEAT,
    code: 'VALIDATOR_UNKNOWN',
    rule: 'an operator is no candidate',
    provoke: (chain) => chain.intent(OPERATOR, HEARTBEAT, validatorHeartbeatOf(chain, OPERATOR)),
  },
  {
    subject: HEARTBEAT,
    code: 'HEARTBEAT_SEQUENCE_STALE',
    rule: 'a heartbeat sequence is above the last one',
    provoke: (chain) => {
      readyToStake(chain).does(VALIDATOR, HEARTBEAT, validatorHeartbeatOf(chain, VALIDATOR));
      return beats(chain, { sequence: 1 });
    },
  },
  {
    subject: HEARTBEAT,
    code: 'HEARTBEAT_ROOT_MISMATCH',
    rule: 'a heartbeat names a root the chain had',
    provoke: (chain) => beats(readyToStake(chain), { observedStateRoot: '00'.repeat(32) }),
  },
  {
    subject: EVIDENCE,
    code: 'VALIDATOR_UNKNOWN',
    rule: 'only candidates are slashed',
    provoke: (chain) => chain.intent(OPERATOR, EVIDENCE, evidenceOf(chain, 'carol')),
  },
  {
    subject: EVIDENCE,
    code: 'EVIDENCE_NOT_CONFLICTING',
    rule: 'the same vote twice is no offence',
    provoke: (chain) =>
      evidence(readyToStake(chain), {
        second: voteOf(chain, VALIDATOR, { height: 7, digit: 'a' }),
      }),
  },
  ...(
    [
      ['a vote for another height proves nothing', { height: 8 }],
      ['a vote on another chain proves nothing', { chainId: 'net-elsewhere-1' }],
      ['a vote of another epoch proves nothing', { epoch: 2 }],
      ['a vote in the name of another proves nothing', { validatorId: 'bob' }],
    ] as const
  ).map(([rule, signedFor]): RefusalCase => ({
    subject: EVIDENCE,
    code: 'EVIDENCE_SIGNATURE_INVALID',
    rule,
    provoke: (chain) =>
      evidence(readyToStake(chain), {
        second: voteOf(chain, VALIDATOR, { height: 7, digit: 'b' }, signedFor),
      }),
  })),
  {
    subject: EVIDENCE,
    code: 'EVIDENCE_SIGNATURE_INVALID',
    rule: 'nothing that another party signed can slash',
    provoke: (chain) =>
      evidence(readyToStake(chain), { first: voteOf(chain, 'bob', { height: 7, digit: 'a' }) }),
  },
  {
    subject: EVIDENCE,
    code: 'EVIDENCE_SIGNATURE_INVALID',
    rule: 'a signature is base64 of 64 bytes',
    provoke: (chain) =>
      evidence(readyToStake(chain), {
        first: { ...voteOf(chain, VALIDATOR, { height: 7, digit: 'a' }), signature: 'none' },
      }),
  },
  {
    subject: EVIDENCE,
    code: 'EVIDENCE_ALREADY_USED',
    rule: 'a height counts once, whichever two votes prove it',
    provoke: (chain) => {
      readyToStake(chain).does(OPERATOR, EVIDENCE, evidenceOf(chain));
      return evidence(chain, { first: voteOf(chain, VALIDATOR, { height: 7, digit: 'c' }) });
    },
  },
  {
    subject: EVIDENCE,
    code: 'VALIDATOR_STAKE_EMPTY',
    rule: 'there is something to slash',
    provoke: (chain) => {
      readyToStake(chain).does(OPERATOR, 'revokeAuthority', { actorId: VALIDATOR });
      chain.ledger.advance(1_000, 900_000);
      chain.fund('bob', 1);
      return evidence(chain);
    },
  },
  {
    subject: 'unjailValidator',
    code: 'VALIDATOR_UNKNOWN',
    rule: 'only a candidate comes back',
    provoke: (chain) => {
      chain.seedAuthority('dave', { roles: ['VALIDATOR'] });
      return chain.intent('dave', 'unjailValidator', { validatorId: 'dave' });
    },
  },
  {
    subject: 'unjailValidator',
    code: 'VALIDATOR_NOT_JAILED',
    rule: 'who is not jailed has nothing to come back from',
    provoke: (chain) =>
      readyToStake(chain).intent(VALIDATOR, 'unjailValidator', { validatorId: VALIDATOR }),
  },
  {
    subject: 'unjailValidator',
    code: 'VALIDATOR_JAILED',
    rule: 'jail lasts its heights and its time',
    provoke: (chain) => {
      const jailedUntil = { height: 1, time: chain.ledger.tip.time + 60_000 };
      seedJailed(readyToStake(chain), jailedUntil);
      return chain.intent(VALIDATOR, 'unjailValidator', { validatorId: VALIDATOR });
    },
  },
  {
    subject: 'unjailValidator',
    code: 'VALIDATOR_FAULTY',
    rule: 'who has equivocated does not come back',
    provoke: (chain) => {
      readyToStake(chain).does(OPERATOR, EVIDENCE, evidenceOf(chain));
      seedJailed(chain, { height: 1, time: 0 });
      return chain.intent(VALIDATOR, 'unjailValidator', { validatorId: VALIDATOR });
    },
  },
  {
    subject: 'fundRewardPool',
    code: 'INSUFFICIENT_BALANCE',
    rule: 'the pool takes what the account of the operator holds',
    provoke: (chain) => chain.intent(OPERATOR, 'fundRewardPool', { amount: 10_000_000 * NET + 1 }),
  },
  {
    subject: 'fundRewardPool',
    code: 'INSUFFICIENT_BALANCE',
    rule: 'the pool takes what the treasury holds',
    provoke: (chain) =>
      chain.intent(OPERATOR, 'fundRewardPool', {
        amount: (chain.record('account', 'net:treasury')?.balance ?? 0) + 1,
        source: 'treasury',
      }),
  },
  {
    subject: 'SignedIntent',
    code: 'CAPABILITY_AMOUNT_EXCEEDED',
    rule: 'a bounded capability bounds a delegation',
    provoke: (chain) => {
      readyToStake(chain).install('dave', 'HUMAN', {
        capabilities: [{ action: 'delegate', maxAmount: SELF_BOND }],
      });
      const payload = { validatorId: VALIDATOR, amount: SELF_BOND + 1 };
      return chain.intent('dave', 'delegate', payload);
    },
  },
];
