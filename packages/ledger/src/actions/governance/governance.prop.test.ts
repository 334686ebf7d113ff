/** Random governance plays, with invariants checked after every block. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { stateRoot, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { hashOfDigit, runs } from '@netd/protocol/testing';
import type { Submission } from '../../block-execution.ts';
import type { CollectionName, Collections } from '../../collections.ts';
import { CONTRIBUTION_COUNTERS } from '../contributions/contribution.ts';
import type { ContributionStatus } from '../contributions/records.ts';
import { PROPOSAL_COUNTERS } from './proposals.ts';
import type { ProposalStatus } from './records.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import {
  AUDITORS,
  BUILD_HASH,
  BUILDERS,
  buildOf,
  contributionOf,
  genesisProposalOf,
  GOVERNANCE_ACTIONS,
  proposalOf,
  readyForContributions,
  releaseOf,
  reviewOf,
  seedEarnings,
  stake,
  makeGovernor,
} from '../../testing/contributions.ts';
import type { MemoryLedger } from '../../testing/memory-ledger.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { madeOnce, type TestChain } from '../../testing/test-chain.ts';

const span = (heights: number, milliseconds: number) => ({ heights, milliseconds });
const GOVERNANCE = {
  votingPeriod: span(6, 600),
  timelock: span(3, 250),
  enactWithin: span(8, 900),
  // Longer than any play: the model ignores this deadline.
  judgeWithin: span(100_000, 1_000_000_000),
  stakeQuorum: 20,
  utilityQuorum: 4,
  majorityBps: 5_500,
};
const AGENTS = ['alice', 'bob', 'carol'] as const;
/** In unet and orders. Stakes are far higher. */
const EARNINGS: Readonly<Record<(typeof AGENTS)[number], [earned: number, orders: number]>> = {
  alice: [30, 2],
  bob: [15, 6],
  carol: [8, 3],
};
const ORDERS = ['o-0', 'o-1', 'o-2', 'o-3'] as const;
const COMMANDS = [
  'submit',
  'submit',
  'attest',
  'attest',
  'attest',
  'review',
  'review',
  'review',
  'attribute',
  'propose',
  'propose',
  'vote',
  'vote',
  'vote',
  'vote',
  'enact',
  'enact',
  'release',
  'release',
  'wait',
] as const;

interface Command {
  what: number;
  who: number;
  which: number;
  how: number;
}

const move: fc.Arbitrary<Command> = fc.record({
  what: fc.nat(COMMANDS.length - 1),
  who: fc.nat(11),
  which: fc.nat(11),
  how: fc.nat(23),
});
const play = fc.array(move, { minLength: 40, maxLength: 90, size: 'max' });
const RUNS = { numRuns: runs(20), verbose: true } as const;
const KNOWN_RUNS = { ...RUNS, numRuns: 30, seed: 42 } as const;

const readyChain: () => TestChain = madeOnce(() => {
  const chain = readyForContributions(
    standardChain({ governance: { ...DEVNET_POLICY.governance, ...GOVERNANCE } }),
  );
  chain.fund('bob', 1_000 * UNET_PER_NET);
  stake(chain, 'bob');
  makeGovernor(chain, 'bob');
  for (const agentId of AGENTS) seedEarnings(chain, agentId, ...EARNINGS[agentId]);
  ORDERS.forEach((orderId, i) => {
    chain.ledger.seed('work-receipt', orderId, {
      orderId,
      requesterId: 'operator',
      workerId: AGENTS[i % AGENTS.length] ?? 'alice',
      deliverableHash: hashOfDigit('d'),
      paid: 10 + i,
      shares: [],
      settledAt: { height: 1, index: 0 },
      transitionHash: hashOfDigit('f'),
    });
  });
  // Start with a contribution in progress, because plays are short.
  chain.does('bob', 'submitProtocolContribution', contributionOf({ contributionId: 'c-0' }));
  for (const verifierId of ['vera', 'vito']) {
    chain.does(verifierId, 'attestProtocolBuild', buildOf(verifierId, { contributionId: 'c-0' }));
  }
  for (const auditorId of ['anna', 'arno']) {
    const review = reviewOf(auditorId, { contributionId: 'c-0' });
    chain.does(auditorId, 'reviewProtocolContribution', review);
  }
  return chain.does(
    'alice',
    'submitProposal',
    proposalOf({ proposalId: 'p-0', contributionId: 'c-0' }),
  );
});

function recordsOf<Name extends CollectionName>(
  ledger: MemoryLedger,
  name: Name,
): [id: string, record: Collections[Name]][] {
  return [...ledger.pairs()]
    .filter(([key]) => key.startsWith(`${name}/`))
    .map(([key, text]) => [key.slice(name.length + 1), JSON.parse(text) as Collections[Name]]);
}

const at = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

/** Mostly one at a fitting stage, sometimes any. */
function choose<T extends { status: string }>(
  all: readonly T[],
  { which, how }: Command,
  ...stages: T['status'][]
): T | undefined {
  const fitting = all.filter(({ status }) => stages.includes(status));
  return at(fitting.length > 0 && how % 8 !== 0 ? fitting : all, which);
}

function intentOf(chain: TestChain, drawn: Command): Submission | null {
  const { what, who, which, how } = drawn;
  const contributions = recordsOf(chain.ledger, 'contribution').map(([, record]) => record);
  const proposals = recordsOf(chain.ledger, 'proposal').map(([, record]) => record);
  const agent = at(AGENTS, who) ?? 'alice';
  const make = (actor: string, action: string, payload: JsonObject): Submission =>
    chain.intent(actor, action, payload);
  const named = (contributionId: string | undefined) => contributionId ?? 'none';
  const proposed = (...stages: ProposalStatus[]) =>
    choose(proposals, drawn, ...stages)?.proposalId ?? 'none';
  switch (COMMANDS[what]) {
    case 'submit': {
      const number = how % 4 === 0 ? which : contributions.length;
      const revised = how % 3 === 0 ? at(contributions, which) : undefined;
      return make(
        revised && how % 2 === 0 ? revised.authorId : agent,
        'submitProtocolContribution',
        contributionOf({
          agentId: revised && how % 2 === 0 ? revised.authorId : agent,
          contributionId: `c-${number}`,
          contentHash: String(how % 5 === 0 ? which : contributions.length).padStart(64, '0'),
          ...(revised ? { supersedes: revised.contributionId } : {}),
        }),
      );
    }
    case 'attest': {
      const verifierId = at(BUILDERS, who) ?? 'vera';
      const contribution = choose(contributions, drawn, 'BUILD_VERIFICATION');
      return make(
        verifierId,
        'attestProtocolBuild',
        buildOf(verifierId, {
          contributionId: named(contribution?.contributionId),
          result: how % 6 === 1 ? 'FAIL' : 'PASS',
          buildHash: how % 6 === 2 ? hashOfDigit('c') : BUILD_HASH,
        }),
      );
    }
    case 'review': {
      const auditorId = at(AUDITORS, who) ?? 'anna';
      const contribution = choose(contributions, drawn, 'SECURITY_REVIEW');
      return make(
        auditorId,
        'reviewProtocolContribution',
        reviewOf(auditorId, {
          contributionId: named(contribution?.contributionId),
          verdict: how % 6 === 1 ? 'FAIL' : 'PASS',
        }),
      );
    }
    case 'attribute': {
      const contribution = at(contributions, which);
      return make(contribution?.authorId ?? agent, 'attributeContributionReceipt', {
        agentId: contribution?.authorId ?? agent,
        contributionId: named(contribution?.contributionId),
        orderId: at(ORDERS, how) ?? 'o-0',
      });
    }
    case 'propose': {
      const members = { governorId: agent, proposalId: `p-${proposals.length}` };
      const contribution = choose(contributions, drawn, 'GOVERNANCE_READY');
      return make(
        agent,
        'submitProposal',
        contribution && how % 4 !== 0
          ? proposalOf({ ...members, contributionId: contribution.contributionId })
          : genesisProposalOf({ ...members, subjectHash: hashOfDigit(String(which % 4)) }),
      );
    }
    case 'vote':
      return make(agent, 'voteProposal', {
        governorId: agent,
        proposalId: proposed('VOTING'),
        vote: how % 5 === 0 ? 'AGAINST' : 'FOR',
      });
    case 'enact':
      return make(agent, 'enactProtocolContribution', {
        governorId: agent,
        proposalId: proposed('PASSED'),
      });
    case 'release': {
      const contribution = choose(contributions, drawn, 'RELEASE_CANDIDATE');
      const releases = recordsOf(chain.ledger, 'release').length;
      return make(
        agent,
        'recordProtocolRelease',
        releaseOf({
          governorId: agent,
          releaseId: `r-${releases}`,
          contributionId: named(contribution?.contributionId),
          version: `1.${how % 12 === 0 ? 0 : releases}.0`,
        }),
      );
    }
    default:
      return null;
  }
}

const NEXT: Readonly<Record<ContributionStatus, readonly ContributionStatus[]>> = {
  BUILD_VERIFICATION: ['SECURITY_REVIEW', 'CHANGES_REQUIRED'],
  SECURITY_REVIEW: ['GOVERNANCE_READY', 'CHANGES_REQUIRED'],
  GOVERNANCE_READY: ['RELEASE_CANDIDATE', 'CHANGES_REQUIRED'],
  RELEASE_CANDIDATE: ['DEPLOYED'],
  DEPLOYED: [],
  CHANGES_REQUIRED: [],
};
const NEXT_OF_PROPOSAL: Readonly<Record<ProposalStatus, readonly ProposalStatus[]>> = {
  VOTING: ['PASSED', 'REJECTED'],
  PASSED: ['ENACTED', 'EXPIRED'],
  REJECTED: [],
  ENACTED: [],
  EXPIRED: [],
};

/** Proves that the plays exercised the property. */
const met = new Set<string>();

function assertSteps(
  before: ReadonlyMap<string, string>,
  after_: ReadonlyMap<string, string>,
  next: Readonly<Record<string, readonly string[]>>,
): void {
  for (const [id, status] of after_) {
    const from = before.get(id);
    met.add(status);
    if (from === undefined) assert.equal(status, Object.keys(next)[0], id);
    else if (from !== status) assert.ok(next[from]?.includes(status), `${id}: ${from} → ${status}`);
  }
}

function statuses(ledger: MemoryLedger, name: 'contribution' | 'proposal'): Map<string, string> {
  return new Map(recordsOf(ledger, name).map(([id, { status }]) => [id, status]));
}

function assertCounts(ledger: MemoryLedger): void {
  for (const [name, counters] of [
    ['contribution', CONTRIBUTION_COUNTERS],
    ['proposal', PROPOSAL_COUNTERS],
  ] as const) {
    const all = [...statuses(ledger, name).values()];
    assert.equal(ledger.record('counter', `${name}s`) ?? 0, all.length);
    for (const [status, counter] of Object.entries(counters)) {
      const here = all.filter((one) => one === status).length;
      assert.equal(ledger.record('counter', counter) ?? 0, here, counter);
    }
  }
  const releases = recordsOf(ledger, 'release');
  assert.equal(ledger.record('counter', 'releases') ?? 0, releases.length);
  assert.equal(recordsOf(ledger, 'release-version').length, releases.length);
  const open = new Map<string, number>();
  for (const [, { authorId, status }] of recordsOf(ledger, 'contribution')) {
    if (NEXT[status].length > 0) open.set(authorId, (open.get(authorId) ?? 0) + 1);
  }
  assert.deepEqual(new Map(recordsOf(ledger, 'open-contributions')), open);
}

function assertContributions(ledger: MemoryLedger): void {
  const receipts = recordsOf(ledger, 'contribution-receipt').map(([, record]) => record);
  assert.equal(ledger.record('counter', 'contribution-receipts') ?? 0, receipts.length);
  for (const [id, contribution] of recordsOf(ledger, 'contribution')) {
    const { status, attestations, reviews, buildHash, releaseId, supersededBy } = contribution;
    for (const heard of [attestations, reviews]) {
      const groups = heard.map(({ independenceGroup }) => independenceGroup);
      assert.equal(new Set(groups).size, groups.length, `a group speaks twice on ${id}`);
    }
    const passes = attestations.filter(
      (one) => one.result === 'PASS' && one.buildHash === buildHash,
    );
    assert.equal(buildHash !== null, passes.length >= 2, id);
    const verified = reviews.filter(({ verdict }) => verdict === 'PASS').length >= 2;
    if (['GOVERNANCE_READY', 'RELEASE_CANDIDATE', 'DEPLOYED'].includes(status)) {
      assert.ok(buildHash !== null && verified, id);
    }
    assert.equal(releaseId !== null, status === 'DEPLOYED', id);
    if (releaseId !== null) {
      assert.equal(ledger.record('release', releaseId)?.artifactHash, buildHash);
    }
    if (supersededBy !== null) {
      assert.equal(status, 'CHANGES_REQUIRED');
      assert.equal(ledger.record('contribution', supersededBy)?.supersedes, id);
    }
    const own = receipts.filter(({ contributionId }) => contributionId === id);
    assert.equal(contribution.receipts, own.length, id);
    assert.ok(own.every(({ agentId }) => agentId === contribution.authorId));
  }
}

function assertProposals(ledger: MemoryLedger): void {
  const votes = recordsOf(ledger, 'proposal-vote').map(([, record]) => record);
  const standing = new Map<string, string>();
  for (const [id, proposal] of recordsOf(ledger, 'proposal')) {
    const { status, chambers, contributionId, deadline } = proposal;
    const own = votes.filter(({ proposalId }) => proposalId === id);
    assert.equal(proposal.voters, own.length);
    const cast = (vote: string, weight: 'stakeWeight' | 'utilityWeight'): number =>
      own.filter((one) => one.vote === vote).reduce((sum, one) => sum + one[weight], 0);
    const stakes = { for: cast('FOR', 'stakeWeight'), against: cast('AGAINST', 'stakeWeight') };
    const utility = {
      for: cast('FOR', 'utilityWeight'),
      against: cast('AGAINST', 'utilityWeight'),
    };
    assert.deepEqual(chambers, { stake: stakes, utility });
    // Computed independently with fractions.
    const agrees = (tally: { for: number; against: number }, quorum: number): boolean =>
      tally.for + tally.against >= quorum && tally.for / (tally.for + tally.against) > 0.55;
    const both =
      agrees(stakes, GOVERNANCE.stakeQuorum) && agrees(utility, GOVERNANCE.utilityQuorum);
    if (status !== 'VOTING') assert.equal(both, status !== 'REJECTED', id);
    const waits = status === 'VOTING' || status === 'PASSED';
    assert.equal(deadline !== null, waits, id);
    const close = ledger.record('timer', `closeProposalVote/${id}`)?.deadline;
    assert.deepEqual(close, status === 'VOTING' ? deadline : undefined, id);
    const expire = ledger.record('timer', `expireProposal/${id}`)?.deadline;
    assert.deepEqual(expire, status === 'PASSED' ? deadline : undefined, id);
    if (!waits) continue;
    const subject = contributionId ?? proposal.subjectHash;
    assert.equal(standing.get(subject), undefined, `two proposals about ${subject}`);
    standing.set(subject, id);
    if (contributionId !== null) {
      assert.equal(ledger.record('contribution', contributionId)?.status, 'GOVERNANCE_READY');
    }
  }
}

function playAll(commands: readonly Command[]): { chain: TestChain; from: number } {
  const chain = readyChain();
  const from = chain.ledger.blocks.length;
  for (const drawn of commands) {
    const before = [statuses(chain.ledger, 'contribution'), statuses(chain.ledger, 'proposal')];
    const submission = intentOf(chain, drawn);
    if (submission) {
      const [outcome] = chain.block([submission], 20 + drawn.how * 3);
      const { action } = submission.envelope as { action: string };
      if (outcome) met.add(outcome.ok ? `accepted ${action}` : outcome.refusal.code);
    } else {
      chain.ledger.advance(1 + (drawn.who % 8), drawn.how * 40);
      chain.block([]);
    }
    const now = [statuses(chain.ledger, 'contribution'), statuses(chain.ledger, 'proposal')];
    assertSteps(before[0] ?? new Map(), now[0] ?? new Map(), NEXT);
    assertSteps(before[1] ?? new Map(), now[1] ?? new Map(), NEXT_OF_PROPOSAL);
    assertCounts(chain.ledger);
    assertContributions(chain.ledger);
    assertProposals(chain.ledger);
  }
  return { chain, from };
}

test('stages, counters, votes and timers hold after every block, and every proposal ends', () => {
  const property = fc.property(play, (commands) => {
    const { chain } = playAll(commands);
    for (const wait of [GOVERNANCE.votingPeriod, GOVERNANCE.timelock, GOVERNANCE.enactWithin]) {
      // Twice, because a deadline may wait for time, then for height.
      for (let i = 0; i < 2; i++) {
        chain.ledger.advance(wait.heights, wait.milliseconds);
        chain.block([]);
      }
    }
    for (const [id, status] of statuses(chain.ledger, 'proposal')) {
      assert.ok(['REJECTED', 'ENACTED', 'EXPIRED'].includes(status), `${id} is ${status}`);
      met.add(status);
    }
    assertCounts(chain.ledger);
    assertProposals(chain.ledger);
    assert.deepEqual(recordsOf(chain.ledger, 'open-proposals'), []);
    assert.deepEqual(
      recordsOf(chain.ledger, 'timer').filter(([, { kind }]) => kind.includes('Proposal')),
      [],
    );
  });
  fc.assert(property, KNOWN_RUNS);
  fc.assert(property, RUNS);
});

test('a replay of the play gives the same state', () => {
  fc.assert(
    fc.property(play, (commands) => {
      const { chain, from } = playAll(commands);
      const replay = readyChain().ledger;
      for (const { context, submissions, stateRoot: root } of chain.ledger.blocks.slice(from)) {
        replay.advance(context.height - replay.tip.height - 1, 0);
        replay.execute(submissions, context);
        assert.equal(replay.tip.stateRoot, root);
      }
      assert.equal(stateRoot(replay.pairs()), stateRoot(chain.ledger.pairs()));
    }),
    { ...RUNS, numRuns: runs(8) },
  );
});

test('the plays met every stage and every action', () => {
  const wanted = [
    ...Object.keys(NEXT),
    ...Object.keys(NEXT_OF_PROPOSAL),
    ...[...GOVERNANCE_ACTIONS].map((action) => `accepted ${action}`),
  ];
  assert.deepEqual(
    wanted.filter((what) => !met.has(what)),
    [],
    [...met].join(', '),
  );
});
