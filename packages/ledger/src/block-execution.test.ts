import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventHash, merkleRoot, nonceHash, stateRoot } from '@netd/protocol';
import { BlockExecution, type Submission } from './block-execution.ts';
import type { SpentNonce } from './chain-records.ts';
import {
  accepted,
  refused,
  signEnvelope,
  submissionOf,
  testKey,
  verdictOf,
} from './testing/index.ts';
import { standardChain } from './testing/refusals/case.ts';
import { OPERATOR, TestChain } from './testing/test-chain.ts';

/** The smallest intent that is always accepted. */
const drop = (
  chain: TestChain,
  options: { nonce?: string; expiresAtHeight?: number } = {},
  actorId = 'alice',
): Submission => chain.intent(actorId, 'faucet', { amount: 1 }, options);

const leafOf = (chain: TestChain, height: number): SpentNonce[] | undefined =>
  chain.record('nonce', String(height));

const leaves = (chain: TestChain): number[] =>
  [...chain.ledger.pairs().keys()]
    .filter((key) => key.startsWith('nonce/'))
    .map((key) => Number(key.slice('nonce/'.length)))
    .toSorted((a, b) => a - b);

describe('a block', () => {
  test('without transitions changes nothing, whatever was refused in it', () => {
    const chain = standardChain();
    const pairs = new Map(chain.ledger.pairs());
    const root = chain.ledger.tip.stateRoot;
    for (const submissions of [[], [drop(chain, { expiresAtHeight: 0 })]]) {
      const { executed } = chain.ledger.execute(submissions);
      assert.equal(executed.changes.size, 0);
      assert.equal(executed.state.writes().length, 0);
      assert.equal(executed.transitionsRoot, merkleRoot([]));
      assert.equal(executed.eventsRoot, merkleRoot([]));
    }
    assert.deepEqual(chain.ledger.pairs(), pairs);
    assert.equal(stateRoot(chain.ledger.pairs()), root);
  });
  test('is the same whether or not envelopes were refused between the accepted ones', () => {
    const chain = standardChain();
    const good = [drop(chain), drop(chain, {}, 'bob'), drop(chain)];
    const bad = [
      drop(chain, { expiresAtHeight: 0 }),
      chain.intent('alice', 'transfer', { to: 'nobody', amount: 1 }),
      chain.registration('alice'),
      chain.intent('alice', 'faucet', { amount: 0 }),
    ];
    const context = chain.ledger.nextContext();
    const execute = (submissions: Submission[]) => {
      const execution = chain.ledger.open(context);
      for (const submission of submissions) execution.execute(submission);
      return execution.finish();
    };
    const clean = execute(good);
    const mixed = execute([bad[0]!, good[0]!, bad[1]!, bad[2]!, good[1]!, bad[3]!, good[2]!]);
    assert.deepEqual(mixed.changes, clean.changes);
    assert.deepEqual(mixed.transitions, clean.transitions);
    assert.deepEqual(mixed.events, clean.events);
  });
  test('holds its transitions and events in the order of execution, and commits to both', () => {
    const chain = standardChain();
    const submissions = [
      drop(chain),
      drop(chain, { expiresAtHeight: 0 }),
      chain.registration('dave', { referrerAgentId: 'alice' }),
      drop(chain, {}, 'bob'),
    ];
    const { outcomes, executed } = chain.ledger.execute(submissions);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.ok ? [outcome.index, outcome.firstEvent] : null)),
      [[0, 0], null, [1, 1], [2, 3]],
    );
    assert.deepEqual(
      executed.transitions,
      [0, 2, 3].map((i) => {
        const { transitionHash: hash, text } = submissions[i]!.encoded;
        return { hash, text };
      }),
    );
    assert.deepEqual(
      executed.events.map(({ type, transitionIndex }) => [type, transitionIndex]),
      [
        ['FaucetPaid', 0],
        ['AgentRegistered', 1],
        ['ReferralRecorded', 1],
        ['FaucetPaid', 2],
      ],
    );
    assert.deepEqual(chain.record('commitment', 'latest'), {
      transitionsRoot: merkleRoot(executed.transitions.map(({ hash }) => hash)),
      eventsRoot: merkleRoot(executed.events.map(eventHash)),
    });
  });
  test('with transitions records its predecessor in the ring of 1,024', () => {
    const chain = standardChain();
    const { height, blockHash, stateRoot: root } = chain.ledger.tip;
    chain.does('alice', 'faucet', { amount: 1 });
    const record = { height, blockHash, stateRoot: root };
    assert.deepEqual(chain.record('recent-root', String(height)), record);
    chain.ledger.advance(1_023);
    chain.does('alice', 'faucet', { amount: 1 });
    assert.equal(chain.record('recent-root', String(height))?.height, height + 1_024);
  });
  test('cannot be opened on a state without genesis', () => {
    const empty = { get: () => undefined, due: () => [], spentNonceExpiry: () => undefined };
    const context = standardChain().ledger.nextContext();
    assert.throws(() => new BlockExecution(empty, context, { stateRoot: '' }), /no genesis/);
  });
});

describe('an intent', () => {
  test('may expire from current + 1 to current + 5,000', () => {
    const chain = standardChain();
    const verdict = (distance: number): string =>
      verdictOf(chain.submit(drop(chain, { expiresAtHeight: chain.height + distance })));
    assert.equal(verdict(-1), 'INTENT_EXPIRED');
    assert.equal(verdict(0), 'INTENT_EXPIRED');
    assert.equal(verdict(1), 'accepted');
    assert.equal(verdict(5_000), 'accepted');
    assert.equal(verdict(5_001), 'EXPIRY_TOO_FAR');
    assert.equal(verdict(Number.MAX_SAFE_INTEGER - 10_000), 'EXPIRY_TOO_FAR');
  });
  test('need not name the chain', () => {
    const chain = standardChain();
    const { chainId: _, signature: __, ...unsigned } = drop(chain).envelope;
    const intent = submissionOf('intent', signEnvelope(testKey('alice'), unsigned));
    assert.equal(verdictOf(chain.submit(intent)), 'accepted');
  });
  test('is verified again if it was verified with another key than the one in force', () => {
    const chain = standardChain();
    const forged = chain.intent('alice', 'faucet', { amount: 1 }, { key: testKey('mallory') });
    const verifiedWith = testKey('mallory').publicKey;
    refused(chain, { ...forged, verifiedWith }, 'SIGNATURE_INVALID');
    const intent = { ...drop(chain), verifiedWith: testKey('mallory').publicKey };
    assert.equal(verdictOf(chain.submit(intent)), 'accepted');
  });
  test('is not encoded again if it was verified with the key in force, and neither is a registration', () => {
    const chain = standardChain();
    const unasked = ({ encoded, ...rest }: Submission, actorId: string): Submission => ({
      ...rest,
      encoded: {
        ...encoded,
        get signedBytes(): Uint8Array {
          return assert.fail('nobody verifies again');
        },
      },
      verifiedWith: testKey(actorId).publicKey,
    });
    assert.equal(verdictOf(chain.submit(unasked(drop(chain), 'alice'))), 'accepted');
    assert.equal(verdictOf(chain.submit(unasked(chain.registration('zoe'), 'zoe'))), 'accepted');
  });
  test('with a changed member has another hash than the signed one', () => {
    const chain = standardChain();
    const { envelope } = drop(chain);
    for (const members of [{ nonce: 'x' }, { payload: { amount: 2 } }, { extra: 1 }]) {
      refused(chain, submissionOf('intent', { ...envelope, ...members }), 'SIGNATURE_INVALID');
    }
  });
});

describe('a nonce', () => {
  test('is refused while an intent with it lives, and accepted once that has expired', () => {
    const chain = standardChain();
    const expiresAtHeight = chain.height + 3;
    assert.equal(verdictOf(chain.submit(drop(chain, { nonce: 'n', expiresAtHeight }))), 'accepted');
    const again = (): string => verdictOf(chain.submit(drop(chain, { nonce: 'n' })));
    assert.equal(again(), 'NONCE_REPLAYED');
    assert.equal(chain.height, expiresAtHeight - 1);
    assert.equal(again(), 'NONCE_REPLAYED', 'at the last height of the first one');
    assert.equal(again(), 'accepted');
    assert.equal(again(), 'NONCE_REPLAYED');
  });
  test('is refused in the same block already', () => {
    const chain = standardChain();
    const intent = drop(chain, { nonce: 'n' });
    assert.deepEqual(chain.block([intent, intent, drop(chain, { nonce: 'n' })]).map(verdictOf), [
      'accepted',
      'NONCE_REPLAYED',
      'NONCE_REPLAYED',
    ]);
  });
  test('belongs to its actor', () => {
    const chain = standardChain();
    const both = [drop(chain, { nonce: 'n' }), drop(chain, { nonce: 'n' }, 'bob')];
    assert.deepEqual(chain.block(both).map(verdictOf), ['accepted', 'accepted']);
  });
  test('is not spent by a refused intent', () => {
    const chain = standardChain();
    refused(
      chain,
      chain.intent('alice', 'faucet', { amount: 0 }, { nonce: 'n' }),
      'PAYLOAD_INVALID',
    );
    assert.equal(verdictOf(chain.submit(drop(chain, { nonce: 'n' }))), 'accepted');
  });
  test('of a rotated key stays spent under the new one', () => {
    const chain = standardChain();
    chain.submit(drop(chain, { nonce: 'n' }));
    chain.submit(chain.rotation('alice', testKey('alice 2')));
    chain.keys.set('alice', testKey('alice 2'));
    refused(chain, drop(chain, { nonce: 'n' }), 'NONCE_REPLAYED');
  });
  test('of a registration is not an intent nonce', () => {
    const chain = new TestChain();
    const extend = { agentId: 'dave', actions: ['faucet'] };
    accepted(chain.register('dave', { nonce: 'n' }));
    assert.equal(leafOf(chain, chain.height), undefined);
    accepted(chain.act('dave', 'extendAgentCapabilities', extend, { nonce: 'n' }));
  });
});

describe('the nonce leaf of a height', () => {
  test('holds the hashes of its block, sorted, with their expiries', () => {
    const chain = standardChain();
    const nonces = ['a', 'b', 'c', 'd', 'e'];
    chain.block(nonces.map((nonce, i) => drop(chain, { nonce, expiresAtHeight: 50 + i })));
    const leaf = leafOf(chain, chain.height)!;
    assert.deepEqual(
      leaf,
      nonces
        .map((nonce, i) => ({ hash: nonceHash('alice', nonce), expiry: 50 + i }))
        .toSorted((a, b) => (a.hash < b.hash ? -1 : 1)),
    );
  });
  test('stays until all have expired and goes in the next block with transitions', () => {
    const chain = standardChain();
    const at = chain.height + 1;
    chain.block([
      drop(chain, { expiresAtHeight: at + 2 }),
      drop(chain, { expiresAtHeight: at + 6 }),
    ]);
    chain.ledger.advance(at + 5 - chain.height);
    chain.submit(drop(chain));
    assert.equal(chain.height, at + 6);
    assert.equal(leafOf(chain, at)?.length, 2, 'at the last height of the last one');
    chain.block([]);
    assert.equal(leafOf(chain, at)?.length, 2, 'an empty block changes nothing');
    chain.submit(drop(chain));
    assert.equal(leafOf(chain, at), undefined);
  });
  test('goes with at most 63 others, those due first, lower keys before higher', () => {
    const chain = standardChain();
    const start = chain.height + 1;
    const expiryOf = (i: number): number => start + 300 - 100 * Math.trunc(i / 35);
    for (let i = 0; i < 70; i++) chain.submit(drop(chain, { expiresAtHeight: expiryOf(i) }));
    const made = leaves(chain).filter((height) => height >= start);
    assert.equal(made.length, 70);
    chain.ledger.advance(1_000);
    const before = leaves(chain);
    chain.submit(drop(chain));
    const gone = before.filter((height) => !leaves(chain).includes(height));
    assert.equal(gone.length, 64);
    // Setup nonces expired earlier.
    const order = before.toSorted(
      (a, b) => lastExpiry(a) - lastExpiry(b) || (`${a}` < `${b}` ? -1 : 1),
    );
    assert.deepEqual(
      gone,
      order.slice(0, 64).toSorted((a, b) => a - b),
    );
    chain.submit(drop(chain));
    assert.deepEqual(leaves(chain), [chain.height - 1, chain.height]);

    function lastExpiry(height: number): number {
      return height >= start ? expiryOf(height - start) : 0;
    }
  });
  test('that is removed does not free a nonce that was spent again since', () => {
    const chain = standardChain();
    chain.submit(drop(chain, { nonce: 'n', expiresAtHeight: chain.height + 1 }));
    const first = chain.height;
    // This block prunes the first leaf while reusing its nonce.
    chain.submit(drop(chain, { nonce: 'n', expiresAtHeight: chain.height + 50 }));
    assert.equal(leafOf(chain, first), undefined);
    refused(chain, drop(chain, { nonce: 'n' }), 'NONCE_REPLAYED');
  });
});

describe('a block on top of an uncommitted one', () => {
  test('sees its writes and its spent nonces, also after the base was changed for the store', () => {
    const chain = standardChain();
    const { ledger } = chain;
    const first = ledger.nextContext();
    const one = ledger.open(first);
    const intent = drop(chain, { nonce: 'n' });
    accepted(one.execute(intent));
    const registration = chain.registration('dave');
    accepted(one.execute(registration));
    const executedOne = one.finish();

    const second = {
      ...first,
      height: first.height + 1,
      time: first.time + 1,
      previousBlockHash: 'aa'.repeat(32),
    };
    const two = new BlockExecution(executedOne.state, second, { stateRoot: 'bb'.repeat(32) });
    assert.equal(verdictOf(two.execute(intent)), 'NONCE_REPLAYED');
    assert.equal(verdictOf(two.execute(chain.registration('dave'))), 'AGENT_EXISTS');
    accepted(two.execute(drop(chain, { nonce: 'm' })));
    const executedTwo = two.finish();

    ledger.commit(first, executedOne, [intent, registration]);
    executedTwo.state.rebase(ledger);
    const third = { ...second, height: second.height + 1, time: second.time + 1 };
    const three = new BlockExecution(executedTwo.state, third, { stateRoot: 'cc'.repeat(32) });
    for (const nonce of ['n', 'm']) {
      assert.equal(verdictOf(three.execute(drop(chain, { nonce }))), 'NONCE_REPLAYED', nonce);
    }
    assert.equal(executedTwo.state.get('account', 'alice')?.balance, 2);
  });
  test('removes nonce leaves that only the uncommitted one made', () => {
    const chain = standardChain();
    const first = chain.ledger.nextContext();
    const one = chain.ledger.open(first);
    accepted(one.execute(drop(chain, { expiresAtHeight: first.height })));
    const second = { ...first, height: first.height + 1, time: first.time + 1 };
    const two = new BlockExecution(one.finish().state, second, { stateRoot: '' });
    accepted(two.execute(drop(chain)));
    assert.equal(two.finish().changes.get(`nonce/${first.height}`), null);
  });
  test('has the same base state if an empty block lies between', () => {
    const chain = standardChain();
    const first = chain.ledger.nextContext();
    const one = chain.ledger.open(first);
    accepted(one.execute(drop(chain, { nonce: 'n' })));
    const second = { ...first, height: first.height + 1 };
    const two = new BlockExecution(one.finish().state, second, { stateRoot: '' });
    const third = { ...first, height: first.height + 2 };
    const three = new BlockExecution(two.finish().state, third, { stateRoot: '' });
    assert.equal(verdictOf(three.execute(drop(chain, { nonce: 'n' }))), 'NONCE_REPLAYED');
  });
});

describe('tryAction', () => {
  test('answers as execution would, without signature, and commits nothing', () => {
    const chain = standardChain();
    const root = stateRoot(chain.ledger.pairs());
    const attempt = (actorId: string, action: string, payload: { amount: number }) => {
      const execution = chain.ledger.open();
      const outcome = execution.tryAction(actorId, action, payload);
      return { outcome, changes: execution.pendingChanges() };
    };
    assert.equal(verdictOf(attempt('nobody', 'faucet', { amount: 1 }).outcome), 'ACTOR_UNKNOWN');
    assert.equal(
      verdictOf(attempt(OPERATOR, 'setAgentStatus', { amount: 1 }).outcome),
      'PAYLOAD_INVALID',
    );
    const { outcome, changes } = attempt('alice', 'faucet', { amount: 7 });
    assert.deepEqual(accepted(outcome), [
      { type: 'FaucetPaid', data: { actorId: 'alice', amount: 7 } },
    ]);
    assert.equal(
      changes.get('account/alice'),
      '{"accountId":"alice","balance":7,"faucetReceived":7}',
    );
    assert.equal(stateRoot(chain.ledger.pairs()), root);
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'suspended' });
    assert.equal(
      verdictOf(attempt('alice', 'faucet', { amount: 1 }).outcome),
      'AUTHORITY_INACTIVE',
    );
  });
});
