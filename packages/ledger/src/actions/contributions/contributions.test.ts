import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { FUNDING } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import {
  BUILD_HASH,
  buildOf,
  built,
  contributionIn,
  contributionOf,
  decided,
  proposalOf,
  proposed,
  readyForContributions,
  releaseOf,
  reviewed,
  reviewOf,
  seedBuilder,
  submitted,
  voteEnds,
} from '../../testing/contributions.ts';
import { accepted, hashOfDigit, pass, refused, verified } from '../../testing/index.ts';
import { assertLimits, HASH, ID, TITLE, URI, type Limits } from '../../testing/limits.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import type { TestChain } from '../../testing/test-chain.ts';
import { MAX_ATTESTATIONS, MAX_OPEN_CONTRIBUTIONS } from './contribution.ts';

const SUBMIT = 'submitProtocolContribution';
const ATTEST = 'attestProtocolBuild';
const REVIEW = 'reviewProtocolContribution';

/** Valid and invalid values, by payload member. */
const LIMITS: Record<string, Record<string, Limits>> = {
  [SUBMIT]: {
    contributionId: ID,
    title: TITLE,
    targetComponent: { fits: ['a', 'a'.repeat(64)], breaks: ['', 'a'.repeat(65), 'a/b', null] },
    license: {
      fits: ['MIT', 'MIT OR Apache-2.0', 'a'.repeat(64)],
      breaks: ['', ' MIT', 'a'.repeat(65), 'MIT\n', null],
    },
    contentHash: HASH,
    manifestHash: HASH,
    sourceUri: URI,
    supersedes: { fits: [], breaks: ['', null] },
  },
  [ATTEST]: {
    contributionId: { fits: [], breaks: ID.breaks },
    result: { fits: ['PASS', 'FAIL'], breaks: ['pass', 'OK', null] },
    buildHash: HASH,
    environmentHash: HASH,
  },
  [REVIEW]: {
    contributionId: { fits: [], breaks: ID.breaks },
    verdict: { fits: ['PASS', 'FAIL'], breaks: ['pass', 'OK', null] },
    reportHash: HASH,
  },
  attributeContributionReceipt: {
    contributionId: { fits: [], breaks: ID.breaks },
    orderId: { fits: [], breaks: ID.breaks },
  },
  submitProposal: {
    proposalId: ID,
    kind: { fits: [], breaks: ['genesis', null] },
    title: TITLE,
    contributionId: { fits: [], breaks: ID.breaks },
    subjectHash: { fits: [], breaks: HASH.breaks },
  },
  voteProposal: {
    proposalId: { fits: [], breaks: ID.breaks },
    vote: { fits: ['FOR', 'AGAINST'], breaks: ['for', 'ABSTAIN', null] },
  },
  recordProtocolRelease: {
    releaseId: ID,
    version: {
      fits: ['0.0.0', '999999.0.10', '1.4.0-rc.1', `1.4.0-${'a'.repeat(32)}`],
      breaks: ['1.4', 'v1.4.0', '01.4.0', '1000000.0.0', `1.4.0-${'a'.repeat(33)}`, '1.4.0-', null],
    },
    artifactHash: { fits: [], breaks: HASH.breaks },
    origins: {
      fits: [originsOf(2), originsOf(8)],
      breaks: [[], originsOf(1), originsOf(9), [{ uri: 'https://a.example' }], null],
    },
  },
};

function originsOf(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, i) => ({
    uri: `https://origin-${i}.example/a`,
    artifactHash: BUILD_HASH,
  }));
}

/** Prepares the chain for an action and returns actor and payload. */
const STAGES: Record<string, (chain: TestChain) => [actor: string, payload: JsonObject]> = {
  [SUBMIT]: () => ['bob', contributionOf()],
  [ATTEST]: (chain) => (submitted(chain), ['vera', buildOf('vera')]),
  [REVIEW]: (chain) => (built(chain), ['anna', reviewOf('anna')]),
  attributeContributionReceipt: () => [
    'bob',
    { agentId: 'bob', contributionId: 'c-1', orderId: 'o-1' },
  ],
  submitProposal: (chain) => (reviewed(chain), ['alice', proposalOf()]),
  voteProposal: (chain) => (
    proposed(chain),
    ['alice', { governorId: 'alice', proposalId: 'p-1', vote: 'FOR' }]
  ),
  recordProtocolRelease: (chain) => (decided(chain), ['alice', releaseOf()]),
};

for (const [action, members] of Object.entries(LIMITS)) {
  describe(`${action} takes`, () => {
    for (const [member, limits] of Object.entries(members)) {
      test(`a ${member} within its limits and none outside`, () => {
        const chain = standardChain();
        const [actor, payload] = STAGES[action]?.(chain) ?? ['', {}];
        assertLimits(chain, { actor, action, payload }, member, limits);
      });
    }
    test('no further member', () => {
      const chain = standardChain();
      const [actor, payload] = STAGES[action]?.(chain) ?? ['', {}];
      refused(chain, chain.intent(actor, action, { ...payload, note: '' }), 'PAYLOAD_INVALID');
    });
  });
}

describe('a contribution', () => {
  test('is committed as it was signed, and waits for builds', () => {
    const chain = readyForContributions(standardChain());
    const events = accepted(chain.act('bob', SUBMIT, contributionOf()));
    assert.deepEqual(events, [
      {
        type: 'ContributionSubmitted',
        data: {
          agentId: 'bob',
          contributionId: 'c-1',
          contentHash: hashOfDigit('1'),
          supersedes: null,
        },
      },
    ]);
    const { agentId, ...described } = contributionOf();
    assert.deepEqual(contributionIn(chain), {
      ...described,
      authorId: agentId,
      supersedes: null,
      supersededBy: null,
      status: 'BUILD_VERIFICATION',
      reason: null,
      attestations: [],
      reviews: [],
      deadline: null,
      buildHash: null,
      releaseId: null,
      receipts: 0,
      submittedAt: { height: chain.height, index: 0 },
    });
    assert.equal(chain.record('counter', 'contributions'), 1);
    assert.equal(chain.record('counter', 'contributions-build-verification'), 1);
    assert.equal(chain.record('open-contributions', 'bob'), 1);
  });

  test('goes to review when two groups built the same artifact, wherever they built it', () => {
    const chain = submitted(standardChain());
    chain.does('vera', ATTEST, buildOf('vera'));
    assert.equal(contributionIn(chain).status, 'BUILD_VERIFICATION');
    const environmentHash = hashOfDigit('7');
    const events = accepted(chain.act('vito', ATTEST, buildOf('vito', { environmentHash })));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['BuildAttested', 'ContributionBuildVerified'],
    );
    const { status, buildHash, attestations } = contributionIn(chain);
    assert.deepEqual([status, buildHash], ['SECURITY_REVIEW', BUILD_HASH]);
    assert.deepEqual(
      attestations.map(({ verifierId, independenceGroup }) => [verifierId, independenceGroup]),
      [
        ['vera', 'group-vera'],
        ['vito', 'group-vito'],
      ],
    );
  });

  test('waits if two groups built different artifacts, until a third agrees with one', () => {
    const chain = submitted(standardChain());
    chain.does('vera', ATTEST, buildOf('vera', { buildHash: hashOfDigit('8') }));
    chain.does('vito', ATTEST, buildOf('vito'));
    assert.equal(contributionIn(chain).status, 'BUILD_VERIFICATION');
    chain.does('viki', ATTEST, buildOf('viki'));
    assert.equal(contributionIn(chain).status, 'SECURITY_REVIEW');
    assert.equal(contributionIn(chain).buildHash, BUILD_HASH);
  });

  for (const [stage, prepare, disagree, third, reason] of [
    [
      'could not build the same',
      submitted,
      [
        ['vera', ATTEST, buildOf('vera', { buildHash: hashOfDigit('8') })],
        ['vito', ATTEST, buildOf('vito')],
      ],
      ['viki', ATTEST, buildOf('viki', { buildHash: hashOfDigit('9') })],
      'BUILD_NOT_REPRODUCIBLE',
    ],
    [
      'reviewed it differently',
      built,
      [
        ['anna', REVIEW, reviewOf('anna')],
        ['arno', REVIEW, reviewOf('arno', { verdict: 'FAIL' })],
      ],
      null,
      'REVIEW_DISPUTED',
    ],
  ] as const) {
    test(`needs changes when two groups ${stage} and no third one decides in time`, () => {
      const chain = prepare(standardChain());
      for (const [actor, action, payload] of disagree) chain.does(actor, action, payload);
      const { deadline, status } = contributionIn(chain);
      assert.ok(deadline);
      const { judgeWithin } = DEVNET_POLICY.governance;
      assert.equal(deadline.height, chain.height + judgeWithin.heights);
      if (third) {
        chain.does(...third);
        assert.deepEqual(contributionIn(chain).deadline, deadline, 'one more opinion wins no time');
      }
      chain.ledger.advance(deadline.height - chain.height - 2, judgeWithin.milliseconds);
      chain.block([]);
      assert.equal(contributionIn(chain).status, status);
      chain.block([]);
      const ended = contributionIn(chain);
      assert.deepEqual([ended.status, ended.reason], ['CHANGES_REQUIRED', reason]);
      assert.deepEqual(chain.ledger.blocks.at(-1)?.events, [
        {
          type: 'ContributionChangesRequired',
          transitionIndex: 0,
          data: { agentId: 'bob', contributionId: 'c-1', reason },
        },
      ]);
      assert.equal(chain.record('open-contributions', 'bob'), undefined);
    });
  }
  test('that a third group decided, or its author revised, waits for nothing any more', () => {
    for (const end of [
      (chain: TestChain) => chain.does('viki', ATTEST, buildOf('viki')),
      (chain: TestChain) => {
        const members = { contributionId: 'c-2', contentHash: hashOfDigit('4'), supersedes: 'c-1' };
        return chain.does('bob', SUBMIT, contributionOf(members));
      },
    ]) {
      const chain = submitted(standardChain());
      chain.does('vera', ATTEST, buildOf('vera', { result: 'FAIL' }));
      chain.does('vito', ATTEST, buildOf('vito'));
      assert.ok(chain.record('timer', 'endJudging/c-1'));
      end(chain);
      assert.equal(contributionIn(chain).deadline, null);
      assert.equal(chain.record('timer', 'endJudging/c-1'), undefined);
    }
  });

  test('needs changes when two groups could not build it, whatever their logs say', () => {
    const chain = submitted(standardChain());
    chain.does('vera', ATTEST, buildOf('vera', { result: 'FAIL' }));
    chain.does('viki', ATTEST, buildOf('viki'));
    assert.equal(contributionIn(chain).status, 'BUILD_VERIFICATION');
    const failed = buildOf('vito', { result: 'FAIL', buildHash: hashOfDigit('8') });
    const events = accepted(chain.act('vito', ATTEST, failed));
    assert.deepEqual(events[1], {
      type: 'ContributionChangesRequired',
      data: { agentId: 'bob', contributionId: 'c-1', reason: 'BUILD_FAILED' },
    });
    assert.equal(contributionIn(chain).reason, 'BUILD_FAILED');
    assert.equal(chain.record('open-contributions', 'bob'), undefined);
  });

  test('counts as not reproducible when as many groups as are heard all built something else', () => {
    const chain = submitted(standardChain());
    for (let i = 0; i < MAX_ATTESTATIONS; i++) {
      assert.equal(contributionIn(chain).status, 'BUILD_VERIFICATION');
      seedBuilder(chain, `verifier-${i}`);
      const buildHash = hashOfDigit(String(i));
      chain.does(`verifier-${i}`, ATTEST, buildOf(`verifier-${i}`, { buildHash }));
    }
    assert.equal(contributionIn(chain).status, 'CHANGES_REQUIRED');
    assert.equal(contributionIn(chain).reason, 'BUILD_NOT_REPRODUCIBLE');
  });

  for (const [verdict, status, reason] of [
    ['PASS', 'GOVERNANCE_READY', null],
    ['FAIL', 'CHANGES_REQUIRED', 'REVIEW_FAILED'],
  ] as const) {
    test(`is ${status} when the third review decides with ${verdict}`, () => {
      const chain = built(standardChain());
      chain.does('anna', REVIEW, reviewOf('anna', { verdict: 'FAIL' }));
      chain.does('arno', REVIEW, reviewOf('arno'));
      assert.equal(contributionIn(chain).status, 'SECURITY_REVIEW');
      chain.does('axel', REVIEW, reviewOf('axel', { verdict }));
      assert.equal(contributionIn(chain).status, status);
      assert.equal(contributionIn(chain).reason, reason);
    });
  }
});

describe('a revision', () => {
  const revision = contributionOf({
    contributionId: 'c-2',
    contentHash: hashOfDigit('3'),
    supersedes: 'c-1',
  });

  test('replaces the revised contribution at any stage before a vote', () => {
    for (const stage of [submitted, built, reviewed]) {
      const chain = stage(standardChain());
      const events = accepted(chain.act('bob', SUBMIT, revision));
      assert.deepEqual(
        events.map(({ type }) => type),
        ['ContributionChangesRequired', 'ContributionSubmitted'],
      );
      const { status, reason, supersededBy } = contributionIn(chain);
      assert.deepEqual([status, reason, supersededBy], ['CHANGES_REQUIRED', 'SUPERSEDED', 'c-2']);
      assert.equal(contributionIn(chain, 'c-2').status, 'BUILD_VERIFICATION');
      assert.equal(chain.record('open-contributions', 'bob'), 1);
      assert.equal(chain.record('counter', 'contributions-changes-required'), 1);
    }
  });

  test('of a contribution that needs changes keeps the reason on record', () => {
    const chain = submitted(standardChain());
    for (const verifierId of ['vera', 'vito']) {
      chain.does(verifierId, ATTEST, buildOf(verifierId, { result: 'FAIL' }));
    }
    chain.does('bob', SUBMIT, revision);
    assert.equal(contributionIn(chain).reason, 'BUILD_FAILED');
    assert.equal(contributionIn(chain).supersededBy, 'c-2');
  });

  test('is possible again when the vote has ended without a decision', () => {
    const chain = voteEnds(proposed(standardChain()));
    chain.does('bob', SUBMIT, revision);
    assert.equal(contributionIn(chain).reason, 'SUPERSEDED');
  });

  test('may carry the same content, and so may a new one after a failure', () => {
    const chain = submitted(standardChain());
    const same = contributionOf({ contributionId: 'c-2', supersedes: 'c-1' });
    chain.does('bob', SUBMIT, same);
    for (const verifierId of ['vera', 'vito']) {
      const members = { contributionId: 'c-2', result: 'FAIL' };
      chain.does(verifierId, ATTEST, buildOf(verifierId, members));
    }
    chain.does('bob', SUBMIT, contributionOf({ contributionId: 'c-3' }));
    assert.equal(chain.record('contribution-content', hashOfDigit('1')), 'c-3');
  });

  test('does not need room of its own among those on their way', () => {
    const chain = standardChain();
    for (let i = 0; i < MAX_OPEN_CONTRIBUTIONS; i++) {
      const contentHash = String(i).padStart(64, '0');
      chain.does('bob', SUBMIT, contributionOf({ contributionId: `c-${i}`, contentHash }));
    }
    chain.does('bob', SUBMIT, { ...revision, contributionId: 'c-new' });
    assert.equal(chain.record('open-contributions', 'bob'), MAX_OPEN_CONTRIBUTIONS);
  });
});

test('paid work is attributed to a contribution once', () => {
  const chain = verified(standardChain());
  pass(chain, DEVNET_POLICY.work.disputeWindow);
  chain
    .does('alice', 'settleVerifiedWork', { orderId: 'o-1' })
    .does('bob', SUBMIT, contributionOf());
  const payload = { agentId: 'bob', contributionId: 'c-1', orderId: 'o-1' };
  const events = accepted(chain.act('bob', 'attributeContributionReceipt', payload));
  assert.deepEqual(events, [
    { type: 'ContributionReceiptAttributed', data: { ...payload, paid: FUNDING } },
  ]);
  assert.equal(contributionIn(chain).receipts, 1);
  assert.equal(chain.record('counter', 'contribution-receipts'), 1);
  assert.deepEqual(chain.record('contribution-receipt', 'o-1'), {
    ...payload,
    paid: FUNDING,
    attributedAt: { height: chain.height, index: 0 },
  });
});
