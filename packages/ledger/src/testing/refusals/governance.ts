import type { JsonObject } from '@netd/protocol';
import { hashOfDigit } from '@netd/protocol/testing';
import { MAX_OPEN_PROPOSALS } from '../../actions/governance/proposals.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import {
  BUILD_HASH,
  contributionIn,
  decided,
  enact,
  genesisProposalOf,
  makeGovernor,
  passed,
  proposalOf,
  proposed,
  readyForContributions,
  released,
  releaseOf,
  reviewed,
  submitted,
  timelockEnds,
  voteEnds,
  ballotOf,
} from '../contributions.ts';
import type { TestChain } from '../test-chain.ts';
import { refuse, type RefusalCase } from './case.ts';

const PROPOSE = 'submitProposal';
const VOTE = 'voteProposal';
const ENACT = 'enactProtocolContribution';
const RELEASE = 'recordProtocolRelease';

const misfit = (rule: string, payload: JsonObject): RefusalCase =>
  refuse(PROPOSE, 'PROPOSAL_SUBJECT_INVALID', rule, (chain) =>
    readyForContributions(chain).intent('alice', PROPOSE, payload),
  );

/** bob has neither earnings nor stake. */
function withBob(chain: TestChain): TestChain {
  makeGovernor(chain, 'bob');
  return chain;
}

const origins = (...uris: string[]): JsonObject => ({
  origins: uris.map((uri) => ({ uri, artifactHash: BUILD_HASH })),
});

/** A second release candidate for the same component. */
function withSecondCandidate(chain: TestChain): TestChain {
  const first = contributionIn(chain);
  chain.ledger.seed('contribution', 'c-2', {
    ...first,
    contributionId: 'c-2',
    status: 'RELEASE_CANDIDATE',
    releaseId: null,
  });
  return chain;
}

export const GOVERNANCE_REFUSALS: RefusalCase[] = [
  refuse(PROPOSE, 'PROPOSAL_ID_USED', 'a proposal id is used once', (chain) =>
    proposed(chain).intent('carol', PROPOSE, genesisProposalOf({ governorId: 'carol' })),
  ),
  misfit('a contribution is named by its id', genesisProposalOf({ kind: 'PROTOCOL_CONTRIBUTION' })),
  misfit('a genesis is named by its hash', proposalOf({ kind: 'MAINNET_GENESIS' })),
  misfit('and by nothing else', genesisProposalOf({ contributionId: 'c-1' })),
  refuse(PROPOSE, 'CONTRIBUTION_UNKNOWN', 'a proposal names an existing contribution', (chain) =>
    readyForContributions(chain).intent('alice', PROPOSE, proposalOf()),
  ),
  refuse(PROPOSE, 'CONTRIBUTION_STATUS', 'the vote comes after the reviews', (chain) =>
    submitted(chain).intent('alice', PROPOSE, proposalOf()),
  ),
  refuse(PROPOSE, 'PROPOSAL_SUBJECT_TAKEN', 'one vote at a time about a thing', (chain) =>
    proposed(chain).intent('alice', PROPOSE, proposalOf({ proposalId: 'p-2' })),
  ),
  refuse(PROPOSE, 'PROPOSAL_SUBJECT_TAKEN', 'an enacted genesis stays enacted', (chain) => {
    readyForContributions(chain).does('alice', PROPOSE, genesisProposalOf());
    for (const governorId of ['alice', 'carol']) chain.does(governorId, VOTE, ballotOf(governorId));
    timelockEnds(voteEnds(chain)).does('alice', ENACT, enact());
    return chain.intent('alice', PROPOSE, genesisProposalOf({ proposalId: 'p-2' }));
  }),
  refuse(PROPOSE, 'PROPOSAL_LIMIT_REACHED', 'a governor has a bounded number open', (chain) => {
    const offer = (i: number): JsonObject =>
      genesisProposalOf({ proposalId: `p-${i}`, subjectHash: String(i).padStart(64, '0') });
    readyForContributions(chain);
    for (let i = 0; i < MAX_OPEN_PROPOSALS; i++) chain.does('alice', PROPOSE, offer(i));
    return chain.intent('alice', PROPOSE, offer(MAX_OPEN_PROPOSALS));
  }),

  refuse(VOTE, 'PROPOSAL_UNKNOWN', 'there must be something to vote on', (chain) =>
    readyForContributions(chain).intent('alice', VOTE, ballotOf('alice')),
  ),
  refuse(VOTE, 'PROPOSAL_NOT_VOTING', 'no vote counts after the end', (chain) =>
    voteEnds(proposed(chain)).intent('alice', VOTE, ballotOf('alice')),
  ),
  refuse(VOTE, 'PROPOSAL_VOTE_CAST', 'a voter cannot vote again, even the other way', (chain) =>
    proposed(chain)
      .does('alice', VOTE, ballotOf('alice'))
      .intent('alice', VOTE, ballotOf('alice', { vote: 'AGAINST' })),
  ),
  refuse(VOTE, 'VOTE_WEIGHTLESS', 'the role alone weighs nothing', (chain) =>
    withBob(proposed(chain)).intent('bob', VOTE, ballotOf('bob')),
  ),

  refuse(ENACT, 'PROPOSAL_UNKNOWN', 'there must be something to enact', (chain) =>
    readyForContributions(chain).intent('alice', ENACT, enact()),
  ),
  refuse(ENACT, 'PROPOSAL_NOT_PASSED', 'nothing is enacted under vote', (chain) =>
    proposed(chain).intent('alice', ENACT, enact()),
  ),
  refuse(ENACT, 'PROPOSAL_NOT_PASSED', 'nothing is enacted without a vote', (chain) =>
    voteEnds(proposed(chain)).intent('alice', ENACT, enact()),
  ),
  refuse(ENACT, 'PROPOSAL_NOT_PASSED', 'nothing is enacted twice', (chain) =>
    decided(chain).intent('alice', ENACT, enact()),
  ),
  refuse(ENACT, 'TIMELOCK_RUNNING', 'the timelock waits for its heights', (chain) => {
    passed(chain).ledger.advance(1, DEVNET_POLICY.governance.timelock.milliseconds);
    return chain.intent('alice', ENACT, enact());
  }),
  refuse(ENACT, 'TIMELOCK_RUNNING', 'and for its time', (chain) => {
    passed(chain).ledger.advance(DEVNET_POLICY.governance.timelock.heights, 1);
    return chain.intent('alice', ENACT, enact());
  }),

  refuse(RELEASE, 'RELEASE_ID_USED', 'a release id is used once', (chain) =>
    withSecondCandidate(released(chain)).intent(
      'alice',
      RELEASE,
      releaseOf({ contributionId: 'c-2', version: '1.5.0' }),
    ),
  ),
  refuse(RELEASE, 'CONTRIBUTION_UNKNOWN', 'a release names an existing contribution', (chain) =>
    readyForContributions(chain).intent('alice', RELEASE, releaseOf()),
  ),
  refuse(RELEASE, 'CONTRIBUTION_STATUS', 'nothing is released undecided', (chain) =>
    reviewed(chain).intent('alice', RELEASE, releaseOf()),
  ),
  refuse(RELEASE, 'CONTRIBUTION_STATUS', 'nothing is released twice', (chain) =>
    released(chain).intent('alice', RELEASE, releaseOf({ releaseId: 'r-2', version: '1.5.0' })),
  ),
  refuse(RELEASE, 'RELEASE_VERSION_USED', 'a version means one artifact', (chain) =>
    withSecondCandidate(released(chain)).intent(
      'alice',
      RELEASE,
      releaseOf({ releaseId: 'r-2', contributionId: 'c-2' }),
    ),
  ),
  refuse(RELEASE, 'RELEASE_ARTIFACT_MISMATCH', 'what was attested is released', (chain) =>
    decided(chain).intent('alice', RELEASE, releaseOf({ artifactHash: hashOfDigit('c') })),
  ),
  refuse(RELEASE, 'RELEASE_ARTIFACT_MISMATCH', 'every origin serves it', (chain) =>
    decided(chain).intent(
      'alice',
      RELEASE,
      releaseOf({
        origins: [
          { uri: 'https://forge.example/a', artifactHash: BUILD_HASH },
          { uri: 'https://mirror.example/a', artifactHash: hashOfDigit('c') },
        ],
      }),
    ),
  ),
  ...[
    ['one host is one origin', 'https://forge.example/a', 'https://forge.example/b'],
    ['a port makes no other host', 'https://forge.example/a', 'https://forge.example:8443/a'],
    ['nor do capitals', 'https://forge.example', 'https://FORGE.example?a'],
  ].map(([rule = '', ...uris]) =>
    refuse(RELEASE, 'RELEASE_ORIGINS_DEPENDENT', rule, (chain) =>
      decided(chain).intent('alice', RELEASE, releaseOf(origins(...uris))),
    ),
  ),
];
