import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accepted, refused, testKey, verdictOf } from '../../testing/index.ts';
import { RECOVERY_DELAY, standardChain } from '../../testing/refusals/case.ts';
import {
  nameGuardians,
  onRequest,
  requestRecovery,
  ripeRecovery,
} from '../../testing/refusals/keys.ts';
import { OPERATOR, type TestChain } from '../../testing/test-chain.ts';

const { heights: HEIGHTS, milliseconds: TIME } = RECOVERY_DELAY;

const execute = (chain: TestChain, requestId: string, agentId = 'bob') =>
  chain.act(agentId, 'executeAgentRecovery', onRequest(agentId, requestId));

const setGuardians = (chain: TestChain, guardians: string[], threshold = guardians.length) =>
  chain.does('alice', 'setAgentRecovery', { agentId: 'alice', guardians, threshold });

const cancel = (chain: TestChain, requestId: string) =>
  chain.act('alice', 'cancelAgentRecovery', { agentId: 'alice', requestId });

describe('rotateAgentKey', () => {
  test('replaces the key: the old one signs no more, the new one does, both stay reserved', () => {
    const chain = standardChain();
    const [old, next] = [testKey('alice'), testKey('alice 2')];
    const hashes = { oldKeyHash: old.publicKeyHash, newKeyHash: next.publicKeyHash };
    assert.deepEqual(accepted(chain.submit(chain.rotation('alice', next))), [
      { type: 'AgentKeyRotated', data: { agentId: 'alice', ...hashes } },
    ]);
    assert.equal(chain.record('authority', 'alice')?.publicKey, next.publicKey);
    assert.equal(chain.record('authority', 'alice')?.publicKeyHash, next.publicKeyHash);
    assert.equal(chain.record('counter', 'key-rotations'), 1);
    refused(chain, chain.intent('alice', 'faucet', { amount: 1 }), 'SIGNATURE_INVALID');
    chain.keys.set('alice', next);
    chain.does('alice', 'faucet', { amount: 1 });
    for (const key of [old, next]) {
      assert.deepEqual(chain.record('key', key.rawHex), { actorId: 'alice' });
      refused(chain, chain.registration('dave', { key }), 'KEY_ALREADY_REGISTERED');
    }
  });
  test('beats an intent that was verified with the old key and comes later in the block', () => {
    const chain = standardChain();
    const late = {
      ...chain.intent('alice', 'faucet', { amount: 1 }),
      verifiedWith: testKey('alice').publicKey,
    };
    const next = testKey('alice 2');
    const early = chain.intent('alice', 'faucet', { amount: 1 }, { key: next });
    const outcomes = chain.block([early, chain.rotation('alice', next), late, early]);
    assert.deepEqual(outcomes.map(verdictOf), [
      'SIGNATURE_INVALID',
      'accepted',
      'SIGNATURE_INVALID',
      'accepted',
    ]);
  });
  test('is for agents, whatever other roles they have, and for operators', () => {
    const chain = standardChain();
    accepted(chain.submit(chain.rotation(OPERATOR, testKey('operator 2'))));
    chain.keys.set(OPERATOR, testKey('operator 2'));
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'suspended' });
    chain.seedAuthority('vera', {
      roles: ['VERIFIER'],
      capabilities: [{ action: 'rotateAgentKey', agentId: 'vera' }],
    });
    refused(chain, chain.rotation('vera', testKey('vera 2')), 'ROLE_MISSING');
    chain.seedAuthority('wim', { roles: ['AGENT', 'VERIFIER'] });
    accepted(chain.submit(chain.rotation('wim', testKey('wim 2'))));
  });
  test('needs the statement of this actor, this chain and the key in force', () => {
    const chain = standardChain();
    const next = testKey('next');
    const nonce = 'the nonce of both';
    const { newKeySignature } = chain.rotation('bob', next, { nonce }).envelope['payload'] as {
      newKeySignature: string;
    };
    const payload = { agentId: 'alice', newPublicKey: next.publicKey, newKeySignature };
    refused(
      chain,
      chain.intent('alice', 'rotateAgentKey', payload, { nonce }),
      'ROTATION_SIGNATURE_INVALID',
    );
  });
});

describe('setAgentRecovery', () => {
  test('takes 0 to 16 guardians, none twice', () => {
    const chain = standardChain();
    const names = Array.from({ length: 17 }, (_, i) => `guardian-${i}`);
    chain.join(names);
    const set = (guardians: string[], threshold: number) =>
      chain.intent('alice', 'setAgentRecovery', { agentId: 'alice', guardians, threshold });
    refused(chain, set(names, 2), 'PAYLOAD_INVALID');
    refused(chain, set(['bob', 'bob'], 1), 'PAYLOAD_INVALID');
    refused(chain, set(['bob'], -1), 'PAYLOAD_INVALID');
    refused(chain, set(names.slice(1), 17), 'PAYLOAD_INVALID');
    accepted(chain.submit(set(names.slice(1), 16)));
    assert.equal(chain.record('recovery', 'alice')?.guardians.agentIds.length, 16);
  });
  test('puts the first guardians into force at once, sorted', () => {
    const chain = standardChain();
    const payload = { agentId: 'alice', guardians: ['carol', 'bob'], threshold: 1 };
    assert.deepEqual(accepted(chain.act('alice', 'setAgentRecovery', payload)), [
      {
        type: 'AgentRecoverySet',
        data: { agentId: 'alice', guardians: ['bob', 'carol'], threshold: 1, effectiveAt: null },
      },
    ]);
    assert.deepEqual(chain.record('recovery', 'alice'), {
      agentId: 'alice',
      guardians: { agentIds: ['bob', 'carol'], threshold: 1 },
      nextGuardians: null,
      request: null,
      cancellations: 0,
    });
  });
  for (const [name, heights, milliseconds, inForce] of [
    ['neither heights nor time have passed', 0, 0, 'bob'],
    ['only the heights have passed', HEIGHTS, 0, 'bob'],
    ['only the time has passed', 0, TIME, 'bob'],
    ['a height is missing', HEIGHTS - 2, TIME, 'bob'],
    ['a millisecond is missing', HEIGHTS, TIME - 101, 'bob'],
    ['both have passed', HEIGHTS - 1, TIME - 100, 'carol'],
  ] as const) {
    test(`lets ${inForce === 'bob' ? 'the old guardians' : 'the new guardians'} count if ${name}`, () => {
      const chain = standardChain();
      setGuardians(chain, ['bob']);
      setGuardians(chain, ['carol']);
      chain.ledger.advance(heights, milliseconds);
      // The next block adds a height and 100 ms.
      const other = inForce === 'bob' ? 'carol' : 'bob';
      const ask = (guardian: string) => chain.recoveryRequest(guardian, 'alice', testKey('x'));
      const outcomes = chain.block([ask(other), ask(inForce)]);
      assert.deepEqual(outcomes.map(verdictOf), ['NOT_A_GUARDIAN', 'accepted']);
    });
  }
  test('restarts the delay if a waiting change is changed', () => {
    const chain = standardChain();
    setGuardians(chain, ['bob']);
    setGuardians(chain, ['carol']);
    chain.ledger.advance(HEIGHTS - 2, TIME);
    setGuardians(chain, ['carol']);
    chain.ledger.advance(HEIGHTS - 2, TIME);
    refused(chain, chain.recoveryRequest('carol', 'alice', testKey('x')), 'NOT_A_GUARDIAN');
  });
  test('keeps a change that has come into force when another is announced', () => {
    const chain = standardChain();
    setGuardians(chain, ['bob']);
    setGuardians(chain, ['carol']);
    chain.ledger.advance(HEIGHTS, TIME);
    setGuardians(chain, ['bob']);
    assert.deepEqual(chain.record('recovery', 'alice')?.guardians.agentIds, ['carol']);
    accepted(chain.submit(chain.recoveryRequest('carol', 'alice', testKey('x'))));
  });
  test('is immediate again once the guardians were given up and the delay has passed', () => {
    const chain = standardChain();
    setGuardians(chain, ['bob']);
    setGuardians(chain, []);
    chain.ledger.advance(HEIGHTS, TIME);
    setGuardians(chain, ['carol']);
    assert.deepEqual(chain.record('recovery', 'alice')?.guardians.agentIds, ['carol']);
    assert.equal(chain.record('recovery', 'alice')?.nextGuardians, null);
  });
});

describe('a recovery', () => {
  test('goes from request over approval and delay to a new key', () => {
    const chain = standardChain();
    const next = testKey('alice 2');
    nameGuardians(chain);
    const request = chain.recoveryRequest('bob', 'alice', next);
    const requestId = request.encoded.transitionHash;
    assert.deepEqual(accepted(chain.submit(request)), [
      {
        type: 'AgentRecoveryRequested',
        data: {
          agentId: 'bob',
          recoveringAgentId: 'alice',
          requestId,
          guardians: ['bob', 'carol'],
        },
      },
    ]);
    const after = () => ({
      height: chain.height + HEIGHTS,
      time: chain.ledger.tip.time + TIME,
    });
    const expiresAt = after();
    assert.deepEqual(chain.record('timer', 'expireAgentRecovery/alice')?.deadline, expiresAt);
    assert.deepEqual(chain.record('key', next.rawHex), { actorId: 'alice' });
    assert.deepEqual(chain.record('recovery', 'alice')?.request, {
      requestId,
      newPublicKey: next.publicKey,
      guardians: { agentIds: ['bob', 'carol'], threshold: 2 },
      approvals: ['bob'],
      expiresAt,
      executableAt: null,
    });
    assert.deepEqual(
      accepted(chain.act('carol', 'approveAgentRecovery', onRequest('carol', requestId))),
      [
        {
          type: 'AgentRecoverySupported',
          data: { agentId: 'carol', recoveringAgentId: 'alice', requestId },
        },
        {
          type: 'AgentRecoveryApproved',
          data: {
            recoveringAgentId: 'alice',
            requestId,
            guardians: ['bob', 'carol'],
            executableAt: after(),
          },
        },
      ],
    );
    const { executableAt, expiresAt: expires } = chain.record('recovery', 'alice')!.request!;
    assert.deepEqual([executableAt, expires], [after(), null]);
    assert.equal(chain.record('timer', 'expireAgentRecovery/alice'), undefined);
    chain.ledger.advance(HEIGHTS, TIME);
    const hashes = {
      oldKeyHash: testKey('alice').publicKeyHash,
      newKeyHash: next.publicKeyHash,
    };
    assert.deepEqual(accepted(execute(chain, requestId, 'carol')), [
      {
        type: 'AgentKeyRecovered',
        data: { agentId: 'carol', recoveringAgentId: 'alice', requestId, ...hashes },
      },
    ]);
    assert.deepEqual(chain.record('recovery', 'alice'), {
      agentId: 'alice',
      guardians: { agentIds: ['bob', 'carol'], threshold: 2 },
      nextGuardians: null,
      request: null,
      cancellations: 0,
    });
    assert.equal(chain.record('counter', 'key-recoveries'), 1);
    refused(chain, chain.intent('alice', 'faucet', { amount: 1 }), 'SIGNATURE_INVALID');
    chain.keys.set('alice', next);
    chain.does('alice', 'faucet', { amount: 1 });
  });
  for (const [name, heights, milliseconds, verdict] of [
    ['waits while neither heights nor time have passed', 0, 0, 'RECOVERY_DELAY_PENDING'],
    [
      'waits where heights were pushed but no time has passed',
      HEIGHTS,
      0,
      'RECOVERY_DELAY_PENDING',
    ],
    ['waits where time has passed but the chain stood still', 0, TIME, 'RECOVERY_DELAY_PENDING'],
    ['waits for the last height', HEIGHTS - 2, TIME, 'RECOVERY_DELAY_PENDING'],
    ['waits for the last millisecond', HEIGHTS, TIME - 101, 'RECOVERY_DELAY_PENDING'],
    ['is executed as soon as both have passed', HEIGHTS - 1, TIME - 100, 'accepted'],
  ] as const) {
    test(name, () => {
      const chain = standardChain();
      nameGuardians(chain, 1);
      const requestId = requestRecovery(chain, 'alice 2');
      chain.ledger.advance(heights, milliseconds);
      assert.equal(verdictOf(execute(chain, requestId)), verdict);
    });
  }
  test('counts its delay from the approval, not from the request', () => {
    const chain = standardChain();
    nameGuardians(chain);
    const requestId = requestRecovery(chain, 'alice 2');
    chain.ledger.advance(HEIGHTS - 2, TIME);
    chain.does('carol', 'approveAgentRecovery', onRequest('carol', requestId));
    chain.ledger.advance(HEIGHTS - 2, TIME);
    assert.equal(verdictOf(execute(chain, requestId)), 'RECOVERY_DELAY_PENDING');
    accepted(execute(chain, requestId));
  });
  test('does not restart its delay when surplus guardians approve', () => {
    const chain = standardChain();
    nameGuardians(chain, 1);
    const requestId = requestRecovery(chain, 'alice 2');
    chain.ledger.advance(HEIGHTS - 2, TIME);
    const events = accepted(
      chain.act('carol', 'approveAgentRecovery', onRequest('carol', requestId)),
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['AgentRecoverySupported'],
    );
    accepted(execute(chain, requestId));
  });
  test('expires if the guardians do not agree within the delay, so that one of them cannot block the rest', () => {
    const chain = standardChain();
    nameGuardians(chain);
    requestRecovery(chain, 'alice 2');
    chain.ledger.advance(HEIGHTS - 2, TIME);
    refused(chain, chain.recoveryRequest('carol', 'alice', testKey('alice 3')), 'RECOVERY_PENDING');
    chain.ledger.advance(HEIGHTS, TIME);
    const next = chain.recoveryRequest('carol', 'alice', testKey('alice 3'));
    accepted(chain.submit(next));
    const requestId = next.encoded.transitionHash;
    assert.equal(chain.record('recovery', 'alice')?.request?.requestId, requestId);
    accepted(chain.act('bob', 'approveAgentRecovery', onRequest('bob', requestId)));
    chain.ledger.advance(HEIGHTS, TIME);
    accepted(execute(chain, requestId));
    assert.equal(chain.record('authority', 'alice')?.publicKey, testKey('alice 3').publicKey);
  });
  test('that has expired can be replaced even if its timer is late', () => {
    const [asked, chain] = [standardChain(), standardChain()];
    for (const each of [asked, chain]) nameGuardians(each);
    requestRecovery(asked, 'alice 2');
    const { request, ...recovery } = asked.record('recovery', 'alice')!;
    const expiresAt = { height: chain.height, time: 0 };
    chain.ledger.seed('recovery', 'alice', { ...recovery, request: { ...request!, expiresAt } });
    accepted(chain.submit(chain.recoveryRequest('carol', 'alice', testKey('alice 3'))));
  });
  test('that has been approved does not expire', () => {
    const chain = standardChain();
    ripeRecovery(chain);
    chain.ledger.advance(5 * HEIGHTS, 5 * TIME);
    refused(chain, chain.recoveryRequest('carol', 'alice', testKey('alice 9')), 'RECOVERY_PENDING');
  });
  test('can be cancelled twice by the key in force', () => {
    const chain = standardChain();
    nameGuardians(chain, 1);
    for (const [i, name] of ['alice 2', 'alice 3'].entries()) {
      const requestId = requestRecovery(chain, name);
      assert.deepEqual(accepted(cancel(chain, requestId)), [
        {
          type: 'AgentRecoveryCancelled',
          data: {
            agentId: 'alice',
            requestId,
            guardians: ['bob', 'carol'],
            cancellations: i + 1,
          },
        },
      ]);
      assert.equal(verdictOf(execute(chain, requestId)), 'RECOVERY_NOT_FOUND');
    }
    const requestId = requestRecovery(chain, 'alice 4');
    assert.equal(verdictOf(cancel(chain, requestId)), 'RECOVERY_CANCELS_EXHAUSTED');
    chain.ledger.advance(HEIGHTS, TIME);
    accepted(execute(chain, requestId));
    assert.equal(chain.record('recovery', 'alice')?.cancellations, 0);
  });
  test('survives rotation, which gives no further cancellations', () => {
    const chain = standardChain();
    nameGuardians(chain, 1);
    accepted(cancel(chain, requestRecovery(chain, 'alice 2')));
    const requestId = requestRecovery(chain, 'alice 3');
    accepted(chain.submit(chain.rotation('alice', testKey('alice 4'))));
    chain.keys.set('alice', testKey('alice 4'));
    assert.equal(chain.record('recovery', 'alice')?.request?.requestId, requestId);
    assert.equal(chain.record('recovery', 'alice')?.cancellations, 1);
    chain.ledger.advance(HEIGHTS, TIME);
    assert.deepEqual(
      accepted(execute(chain, requestId)).map(({ data }) => data['oldKeyHash']),
      [testKey('alice 4').publicKeyHash],
    );
    assert.equal(chain.record('authority', 'alice')?.publicKey, testKey('alice 3').publicKey);
  });
  test('goes on under its own guardians when they are changed meanwhile', () => {
    const chain = standardChain().join(['mallory']);
    const requestId = ripeRecovery(chain);
    setGuardians(chain, ['mallory']);
    refused(
      chain,
      chain.intent('mallory', 'executeAgentRecovery', onRequest('mallory', requestId)),
      'NOT_A_GUARDIAN',
    );
    accepted(execute(chain, requestId));
  });
  test('drops the guardians a stolen key has announced', () => {
    const chain = standardChain().join(['mallory']);
    nameGuardians(chain);
    setGuardians(chain, ['mallory']);
    const requestId = requestRecovery(chain, 'alice 2');
    chain.does('carol', 'approveAgentRecovery', onRequest('carol', requestId));
    // Announced before the approval, so it takes effect first.
    chain.ledger.advance(HEIGHTS, TIME);
    accepted(execute(chain, requestId));
    assert.deepEqual(chain.record('recovery', 'alice')?.guardians.agentIds, ['bob', 'carol']);
    assert.equal(chain.record('recovery', 'alice')?.nextGuardians, null);
    refused(chain, chain.recoveryRequest('mallory', 'alice', testKey('x')), 'NOT_A_GUARDIAN');
  });
  test('gives a suspended agent its key, and leaves it suspended', () => {
    const chain = standardChain();
    const requestId = ripeRecovery(chain);
    chain.does(OPERATOR, 'setAgentStatus', { agentId: 'alice', status: 'suspended' });
    accepted(execute(chain, requestId));
    assert.equal(chain.record('authority', 'alice')?.active, false);
    assert.equal(chain.record('authority', 'alice')?.publicKey, testKey('alice 2').publicKey);
  });
  test('leaves every key it touched reserved for good', () => {
    const chain = standardChain();
    const requestId = ripeRecovery(chain);
    accepted(execute(chain, requestId));
    for (const name of ['alice', 'alice 2']) {
      refused(chain, chain.registration('dave', { key: testKey(name) }), 'KEY_ALREADY_REGISTERED');
      refused(chain, chain.rotation('bob', testKey(name)), 'KEY_ALREADY_REGISTERED');
    }
  });
});
