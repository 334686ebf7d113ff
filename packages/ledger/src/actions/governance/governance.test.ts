import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chamberAgrees, UNET_PER_NET, type GovernancePolicy } from '@netd/protocol';
import { FUNDING } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../../genesis.ts';
import {
  BUILD_HASH,
  contributionIn,
  decided,
  enact,
  genesisProposalOf,
  makeGovernor,
  passed,
  proposalIn,
  proposalOf,
  proposed,
  readyForContributions,
  released,
  releaseOf,
  seedEarnings,
  stake,
  timelockEnds,
  voteEnds,
  ballotOf,
} from '../../testing/contributions.ts';
import { accepted, hashOfDigit, pass, refused, TestChain } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { opened, resultOf, votes } from '../../testing/work.ts';
import { StateOverlay } from '../../state.ts';
import { bothAgree, enactedProposal } from './proposals.ts';

const VOTE = 'voteProposal';
const ENACT = 'enactProtocolContribution';
const { votingPeriod, timelock, enactWithin } = DEVNET_POLICY.governance;

const stateOf = (chain: TestChain) => new StateOverlay(chain.ledger);
const votesAs = (chain: TestChain, governorId: string, vote: 'FOR' | 'AGAINST'): TestChain =>
  chain.does(governorId, VOTE, ballotOf(governorId, { vote }));

describe('a vote', () => {
  test('weighs stake up to the earnings, and verified orders, at that moment', () => {
    const chain = proposed(standardChain());
    seedEarnings(chain, 'carol', 5_000 * UNET_PER_NET, 7);
    const events = accepted(chain.act('carol', VOTE, ballotOf('carol', { vote: 'AGAINST' })));
    const weights = { stakeWeight: 1_000 * UNET_PER_NET, utilityWeight: 7 };
    assert.deepEqual(events, [
      {
        type: 'ProposalVoted',
        data: { actorId: 'carol', proposalId: 'p-1', vote: 'AGAINST', ...weights },
      },
    ]);
    votesAs(chain, 'alice', 'FOR');
    assert.deepEqual(proposalIn(chain).chambers, {
      stake: { for: 400 * UNET_PER_NET, against: 1_000 * UNET_PER_NET },
      utility: { for: 3, against: 7 },
    });
    assert.equal(proposalIn(chain).voters, 2);
    // A cast vote keeps its weight.
    seedEarnings(chain, 'carol', 0, 0);
    voteEnds(chain);
    assert.equal(proposalIn(chain).status, 'REJECTED');
    assert.deepEqual(chain.record('proposal-vote', 'p-1/carol'), {
      proposalId: 'p-1',
      voterId: 'carol',
      vote: 'AGAINST',
      ...weights,
      castAt: { height: chain.record('proposal-vote', 'p-1/carol')?.castAt.height, index: 0 },
    });
  });

  test('of earnings without stake, or of stake without earnings, weighs in one chamber or none', () => {
    const chain = proposed(standardChain());
    makeGovernor(chain, 'bob');
    seedEarnings(chain, 'bob', 50 * UNET_PER_NET, 4);
    votesAs(chain, 'bob', 'FOR');
    const { stakeWeight, utilityWeight } = chain.record('proposal-vote', 'p-1/bob') ?? {};
    assert.deepEqual([stakeWeight, utilityWeight], [0, 4]);
    seedEarnings(chain, 'carol', 0, 0);
    refused(chain, chain.intent('carol', VOTE, ballotOf('carol')), 'VOTE_WEIGHTLESS');
  });

  test('counts in the last block of the period and not in the next', () => {
    for (const late of [false, true]) {
      const chain = proposed(standardChain());
      const { votingEnds } = proposalIn(chain);
      // One millisecond before the end, or exactly at it.
      chain.ledger.advance(votingEnds.height - chain.height - 1, 0);
      const wait = votingEnds.time - chain.ledger.tip.time - (late ? 0 : 1);
      const [outcome] = chain.block([chain.intent('alice', VOTE, ballotOf('alice'))], wait);
      assert.equal(outcome?.ok, !late);
      assert.equal(proposalIn(chain).status, late ? 'REJECTED' : 'VOTING');
    }
  });

  test('of an operator weighs the same as any other', () => {
    const chain = proposed(standardChain());
    refused(chain, chain.intent('operator', VOTE, ballotOf('operator')), 'VOTE_WEIGHTLESS');
  });

  test('is refused from a revoked actor, whose earlier votes stay', () => {
    const chain = votesAs(proposed(standardChain()), 'carol', 'FOR');
    chain.does('operator', 'revokeAuthority', { actorId: 'alice' });
    refused(chain, chain.intent('alice', VOTE, ballotOf('alice')), 'AUTHORITY_INACTIVE');
    assert.equal(proposalIn(chain).voters, 1);
  });
});

describe('a chamber agrees', () => {
  const CASES: [
    rule: string,
    tally: [number, number],
    quorum: number,
    bps: number,
    yes: boolean,
  ][] = [
    ['not without its quorum', [9, 0], 10, 5_000, false],
    ['with just its quorum', [10, 0], 10, 5_000, true],
    ['with votes against that make the quorum', [6, 4], 10, 5_000, true],
    ['not with half', [5, 5], 10, 5_000, false],
    ['with more than half', [6, 5], 10, 5_000, true],
    ['not with just two thirds where more is asked', [6_667, 3_333], 1, 6_667, false],
    ['with a unit more', [6_668, 3_332], 1, 6_667, true],
    [
      'exactly, at the size of the supply',
      [500_000_000_000_000, 499_999_999_999_999],
      1,
      5_000,
      true,
    ],
    ['and not', [500_000_000_000_000, 500_000_000_000_000], 1, 5_000, false],
  ];
  for (const [rule, [inFavour, against], quorum, bps, yes] of CASES) {
    test(rule, () => {
      assert.equal(chamberAgrees({ for: inFavour, against }, quorum, bps), yes);
    });
  }

  test('and only both together decide', () => {
    const policy: GovernancePolicy = {
      ...DEVNET_POLICY.governance,
      stakeQuorum: 2,
      utilityQuorum: 2,
    };
    const [yes, no] = [
      { for: 2, against: 0 },
      { for: 0, against: 2 },
    ];
    for (const [stakes, utility] of [
      [yes, yes],
      [yes, no],
      [no, yes],
      [no, no],
    ] as const) {
      const both = stakes === yes && utility === yes;
      assert.equal(bothAgree({ chambers: { stake: stakes, utility } }, policy), both);
    }
  });
});

describe('a proposal', () => {
  test('that passed waits its timelock in heights and time, and then takes effect', () => {
    const chain = passed(standardChain());
    const { status, executableAt } = proposalIn(chain);
    assert.equal(status, 'PASSED');
    const { height, time } = chain.ledger.tip;
    assert.deepEqual(executableAt, {
      height: height + timelock.heights,
      time: time + timelock.milliseconds,
    });
    chain.ledger.advance(timelock.heights - 1, 0);
    const [outcome] = chain.block(
      [chain.intent('carol', ENACT, enact('carol'))],
      time + timelock.milliseconds - chain.ledger.tip.time,
    );
    assert.deepEqual(outcome && accepted(outcome).map(({ type }) => type), [
      'ProposalEnacted',
      'ContributionReleaseCandidate',
    ]);
    assert.equal(contributionIn(chain).status, 'RELEASE_CANDIDATE');
    const { endedAt, deadline } = proposalIn(chain);
    assert.deepEqual([endedAt?.height, deadline], [chain.height, null]);
    assert.equal(chain.record('timer', 'expireProposal/p-1'), undefined);
    assert.equal(chain.record('open-proposals', 'alice'), undefined);
    assert.equal(chain.record('counter', 'proposals-enacted'), 1);
  });

  test('ends rejected without votes, and its subject can be proposed again', () => {
    const chain = voteEnds(proposed(standardChain()));
    assert.equal(proposalIn(chain).status, 'REJECTED');
    assert.equal(contributionIn(chain).status, 'GOVERNANCE_READY');
    chain.does('carol', 'submitProposal', proposalOf({ governorId: 'carol', proposalId: 'p-2' }));
    assert.equal(proposalIn(chain, 'p-2').status, 'VOTING');
  });

  test('is rejected if only one chamber agrees', () => {
    const chain = proposed(standardChain());
    votesAs(votesAs(chain, 'alice', 'FOR'), 'carol', 'AGAINST');
    voteEnds(chain);
    assert.deepEqual(proposalIn(chain).chambers.utility, { for: 3, against: 5 });
    assert.equal(proposalIn(chain).status, 'REJECTED');
  });

  test('waits for the heights if the time has passed first, and the other way round', () => {
    const early = proposed(standardChain());
    early.block([], votingPeriod.milliseconds);
    assert.equal(proposalIn(early).status, 'VOTING');
    assert.deepEqual(early.record('timer', 'closeProposalVote/p-1'), {
      kind: 'closeProposalVote',
      subject: 'p-1',
      deadline: proposalIn(early).votingEnds,
      awaits: 'HEIGHT',
    });
    pass(early, { heights: votingPeriod.heights, milliseconds: 1 });
    assert.equal(proposalIn(early).status, 'REJECTED');

    const quick = proposed(standardChain());
    pass(quick, { heights: votingPeriod.heights * 3, milliseconds: 1_000 });
    assert.equal(proposalIn(quick).status, 'VOTING');
  });

  test('expires without an enactment, and cannot be enacted afterwards', () => {
    const chain = passed(standardChain());
    pass(pass(chain, timelock), enactWithin);
    assert.equal(proposalIn(chain).status, 'EXPIRED');
    assert.equal(contributionIn(chain).status, 'GOVERNANCE_READY');
    refused(chain, chain.intent('alice', ENACT, enact()), 'PROPOSAL_NOT_PASSED');
    assert.equal(chain.record('counter', 'proposals-expired'), 1);
  });

  test('about a genesis counts as enacted when it is, and not before', () => {
    const chain = readyForContributions(standardChain());
    chain.does('alice', 'submitProposal', genesisProposalOf());
    votesAs(votesAs(chain, 'alice', 'FOR'), 'carol', 'FOR');
    assert.equal(enactedProposal(stateOf(chain), hashOfDigit('9')), undefined);
    voteEnds(chain);
    assert.equal(proposalIn(chain).status, 'PASSED');
    assert.equal(enactedProposal(stateOf(chain), hashOfDigit('9')), undefined);
    timelockEnds(chain).does('carol', ENACT, enact('carol'));
    assert.equal(enactedProposal(stateOf(chain), hashOfDigit('9'))?.proposalId, 'p-1');
    assert.equal(enactedProposal(stateOf(chain), hashOfDigit('8')), undefined);
  });

  test('about a contribution never passes for one about a genesis', () => {
    const chain = decided(standardChain());
    assert.equal(proposalIn(chain).status, 'ENACTED');
    assert.equal(enactedProposal(stateOf(chain), proposalIn(chain).subjectHash), undefined);
    assert.equal(enactedProposal(stateOf(chain), 'c-1'), undefined);
  });
});

test('a release deploys a contribution, from origins that serve the attested artifact', () => {
  const chain = released(standardChain());
  const { status, releaseId } = contributionIn(chain);
  assert.deepEqual([status, releaseId], ['DEPLOYED', 'r-1']);
  const { governorId, ...release } = releaseOf();
  assert.deepEqual(chain.record('release', 'r-1'), {
    ...release,
    targetComponent: 'state-tree',
    recordedBy: governorId,
    recordedAt: { height: chain.height, index: 0 },
  });
  assert.equal(chain.record('release-version', 'state-tree/1.4.0'), 'r-1');
  assert.equal(chain.record('counter', 'releases'), 1);
  assert.equal(chain.record('open-contributions', 'bob'), undefined);
  assert.equal(contributionIn(chain).buildHash, BUILD_HASH);
});

test('an agent that was paid for work, staked and became a governor carries a contribution by itself', () => {
  const governance = { ...DEVNET_POLICY.governance, stakeQuorum: FUNDING, utilityQuorum: 1 };
  const chain = opened(standardChain({ governance }));
  chain.does('bob', 'acceptWork', { orderId: 'o-1', agentId: 'bob' });
  chain.does('bob', 'submitWorkResult', resultOf());
  chain.block([]);
  votes(chain, 'ACCEPT', 'ACCEPT');
  pass(chain, DEVNET_POLICY.work.disputeWindow);
  chain.does('alice', 'settleVerifiedWork', { orderId: 'o-1' });
  stake(chain, 'bob');
  makeGovernor(chain, 'bob');
  const proposal = genesisProposalOf({ governorId: 'bob' });
  chain.does('bob', 'submitProposal', proposal).does('bob', VOTE, ballotOf('bob'));
  assert.deepEqual(proposalIn(chain).chambers, {
    stake: { for: FUNDING, against: 0 },
    utility: { for: 1, against: 0 },
  });
  timelockEnds(voteEnds(chain)).does('bob', ENACT, enact('bob'));
  assert.equal(proposalIn(chain).status, 'ENACTED');
});
