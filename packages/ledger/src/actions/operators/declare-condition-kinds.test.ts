import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_CONDITION_KINDS } from '@netd/protocol';
import { runs, workOrderOf } from '@netd/protocol/testing';
import * as fc from 'fast-check';
import { refused, verdictOf } from '../../testing/expectations.ts';
import { DEFAULT_VALIDATION_POLICY } from '../work/validation-policy.ts';
import { committeeOf, delivered, resultOf, workNetwork } from '../../testing/work.ts';

const VERIFIERS = ['vera', 'vito', 'viki'];
const REVIEWERS = ['rudi', 'rosa', 'ruth'];
const REVIEW = { conditionKinds: ['review', 'sha256'] };

/** Three verifiers that declared nothing, and three that judge reviews too. */
function mixedNetwork() {
  const { chain } = workNetwork(2, [...VERIFIERS, ...REVIEWERS]);
  for (const verifierId of REVIEWERS) {
    chain.does(verifierId, 'declareConditionKinds', {
      verifierId,
      conditionKinds: ['sha256', 'review'],
    });
  }
  return chain;
}

describe('the kinds of conditions that an order declares', () => {
  test('draw only verifiers that judge all of them', () => {
    assert.deepEqual(
      committeeOf(delivered(mixedNetwork(), REVIEW)).toSorted(),
      REVIEWERS.toSorted(),
    );
    const replayed = delivered(mixedNetwork(), { conditionKinds: ['chain-replay'] });
    assert.deepEqual(committeeOf(replayed).toSorted(), VERIFIERS.toSorted());
  });
  test('are refused at creation if too few judge them', () => {
    const { chain } = workNetwork(2, VERIFIERS);
    const order = chain.intent('alice', 'createWorkOrder', workOrderOf('o-1', REVIEW));
    refused(chain, order, 'WORK_JURY_UNAVAILABLE');
  });
  test('are refused at acceptance if the verifiers have taken their declarations back', () => {
    const chain = mixedNetwork();
    chain.does('alice', 'createWorkOrder', workOrderOf('o-1', REVIEW));
    for (const verifierId of REVIEWERS.slice(1)) {
      chain.does(verifierId, 'declareConditionKinds', { verifierId, conditionKinds: ['sha256'] });
    }
    const taken = chain.intent('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' });
    refused(chain, taken, 'WORK_JURY_UNAVAILABLE');
  });
  test('without them, every verifier is drawn', () => {
    const validationPolicy = { ...DEFAULT_VALIDATION_POLICY, committeeSize: 6 };
    assert.equal(committeeOf(delivered(mixedNetwork(), { validationPolicy })).length, 6);
  });
  test('draw every verifier that judges them, and no other one', () => {
    const network = workNetwork(2, VERIFIERS).chain;
    const kinds = fc.subarray(['sha256', 'json-schema', 'chain-replay', 'review', 'other'], {
      minLength: 1,
    });
    const declared = fc.tuple(...VERIFIERS.map(() => fc.option(kinds)));
    fc.assert(
      fc.property(declared, kinds, (declarations, conditionKinds) => {
        const chain = network.copy();
        const able = VERIFIERS.filter((verifierId, i) => {
          const own = declarations[i] ?? null;
          if (own)
            chain.does(verifierId, 'declareConditionKinds', { verifierId, conditionKinds: own });
          return conditionKinds.every((kind) => (own ?? DEFAULT_CONDITION_KINDS).includes(kind));
        });
        const order = workOrderOf('o-1', { conditionKinds });
        const verdict = verdictOf(chain.act('alice', 'createWorkOrder', order));
        const isEnough = able.length >= DEFAULT_VALIDATION_POLICY.requiredAccepts;
        assert.equal(verdict, isEnough ? 'accepted' : 'WORK_JURY_UNAVAILABLE');
        if (!isEnough) return;
        chain
          .does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' })
          .does('bob', 'submitWorkResult', resultOf())
          .block([]);
        assert.deepEqual(committeeOf(chain).toSorted(), able.toSorted());
      }),
      { numRuns: runs(30), seed: 44 },
    );
  });
});
