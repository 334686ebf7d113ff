import '../../styles/governance.css';
import type { GovernancePolicy } from '@netd/protocol';
import type { SchemaOf } from '@netd/sdk/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { agreement, differences } from '../../chain/agreement.ts';
import { listing, reading } from '../../chain/client.ts';
import { useProof } from '../../chain/proofs.ts';
import { useReadAgain } from '../../chain/read-again.ts';
import { proposalAsRecorded, recordAgreement } from '../../chain/records.ts';
import { worstOf } from '../../chain/standing.ts';
import { More } from '../../ui/more.tsx';
import { Actor, Hash, Height, Net, Time, When } from '../../marks/names.tsx';
import {
  Card,
  Empty,
  ErrorNote,
  Fact,
  Facts,
  Page,
  Skeleton,
  SkeletonCard,
} from '../../ui/parts.tsx';
import { MissingRecord } from '../../marks/missing-record.tsx';
import { ProofBadge } from '../../marks/proof.tsx';
import { count, counted } from '../../words/amount.ts';
import { judged, nextOfProposal } from '../../words/governance.ts';
import { duration } from '../../words/time.ts';
import { Chambers } from './chambers.tsx';

export function ProposalPage() {
  const { proposalId } = useParams({ from: '/governance/proposals/$proposalId' });
  const found = useQuery(
    reading('/v1/governance/proposals/{proposalId}', { proposalId, limit: 1 }),
  );
  const { data } = found;
  const proof = useProof('state', data ? `proposal/${proposalId}` : '', data?.height);
  const contributionId = data?.proposal.contributionId ?? null;
  const subject = useProof(
    'state',
    contributionId === null ? '' : `contribution/${contributionId}`,
  );
  const limits = useProof('state', data ? 'policy/limits' : '');
  useReadAgain({ height: data?.height, refetch: found.refetch }, proof.proven?.height);
  const crumb = (
    <>
      <Link to="/governance">Governance</Link> /{' '}
      <Link to="/governance" search={{ show: 'proposals' }}>
        Proposals
      </Link>{' '}
      / <span className="mono">{proposalId}</span>
    </>
  );
  if (!data) {
    return (
      <Page title={proposalId} crumb={crumb}>
        {found.isError ? (
          <MissingRecord
            stateKey={`proposal/${proposalId}`}
            error={found.error}
            what={`The proposal ${proposalId} could not be read.`}
          />
        ) : (
          <SkeletonCard lines={6} />
        )}
      </Page>
    );
  }
  const { proposal } = data;
  const { now, next, by, tone } = nextOfProposal(proposal);
  const policy = (limits.proven?.value as { governance: GovernancePolicy } | null | undefined)
    ?.governance;
  const chambers = policy ? judged(proposal.chambers, policy) : proposal.chambers;
  const asRecorded = proposalAsRecorded(proposal);
  const { never, now: changed } = recordAgreement('proposal', asRecorded, proof.proven);
  const { standing, contradicts } = agreement(
    worstOf([
      proof.standing,
      limits.standing,
      ...(contributionId === null ? [] : [subject.standing]),
    ]),
    [
      ...never,
      ...differences(
        { 'quorum or majority': proposal.chambers },
        { 'quorum or majority': chambers },
        ['quorum or majority'],
      ),
      ...(subject.proven ? differences(asRecorded, subject.proven.value, ['rulesVersion']) : []),
    ],
    changed,
    proof.proven?.height === data.height,
  );
  return (
    <Page
      title={proposal.title}
      crumb={crumb}
      lead={
        <>
          {proposal.kind === 'MAINNET_GENESIS'
            ? 'a genesis of a main network'
            : 'the release of a contribution'}
          , proposed by <Actor id={proposal.proposerId} />
        </>
      }
      aside={
        <ProofBadge
          standing={standing}
          what="this proposal, the sum of its votes, and the rule about them"
          contradicts={contradicts}
          steps={[
            'its record, with the votes of both chambers, is in the state, by a Merkle proof',
            'so is the policy, with the quorum and the majority that the votes need',
            ...(contributionId === null ? [] : ['so is its contribution']),
          ]}
        />
      }
    >
      <div className="stack">
        <section className="card next-step" data-tone={tone}>
          <span className="chip" data-tone={tone}>
            {now}
          </span>
          <p>{next}</p>
          {by && (
            <p className="soft next-by">
              <Time at={by.time} />, at height <Height at={by.height} /> at the earliest
            </p>
          )}
        </section>
        <div className="split">
          <div className="stack">
            <Card title="Both chambers">
              <div className="inside">
                <Chambers chambers={chambers} majorityBps={policy?.majorityBps} />
              </div>
            </Card>
            <Votes proposal={proposal} />
          </div>
          <About proposal={proposal} policy={policy} />
        </div>
      </div>
    </Page>
  );
}

function About({
  proposal,
  policy,
}: {
  proposal: SchemaOf<'Proposal'>;
  policy: GovernancePolicy | undefined;
}) {
  return (
    <Card title="The proposal">
      <Facts>
        {proposal.contributionId !== null && (
          <Fact name="Contribution">
            <Link
              to="/governance/contributions/$contributionId"
              params={{ contributionId: proposal.contributionId }}
            >
              {proposal.contributionId}
            </Link>
          </Fact>
        )}
        {proposal.rulesVersion !== null && (
          <Fact name="Rules">
            its release may schedule version {proposal.rulesVersion} of the rules
          </Fact>
        )}
        <Fact name="Subject">
          <Hash hash={proposal.subjectHash} />
        </Fact>
        <Fact name="Proposed">
          <When at={proposal.openedAt.height} />
        </Fact>
        <Fact name="Vote ends">
          <Time at={proposal.votingEnds.time} /> <Height at={proposal.votingEnds.height} />
        </Fact>
        {proposal.executableAt && (
          <Fact name="Timelock ends">
            <Time at={proposal.executableAt.time} /> <Height at={proposal.executableAt.height} />
          </Fact>
        )}
        {proposal.status === 'PASSED' && proposal.deadline && (
          <Fact name="Enact before">
            <Time at={proposal.deadline.time} />
          </Fact>
        )}
        {policy && (
          <Fact name="The rule">
            a timelock of {duration(policy.timelock.milliseconds)} and{' '}
            {counted(policy.timelock.heights, 'block')}, more than {policy.majorityBps / 100} % in
            each chamber
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

function Votes({ proposal }: { proposal: SchemaOf<'Proposal'> }) {
  const { proposalId } = proposal;
  const list = useInfiniteQuery(
    listing('/v1/governance/proposals/{proposalId}', { proposalId, limit: 100 }),
  );
  const votes = (list.data?.pages ?? []).flatMap((page) => page.votes);
  return (
    <Card
      title={`Votes (${count(proposal.voters)})`}
      aside={<span className="soft">unverified</span>}
    >
      {list.isPending && <Skeleton lines={3} />}
      {list.isError && (
        <ErrorNote error={list.error} what="The votes could not be read." retry={list.refetch} />
      )}
      {list.data && votes.length === 0 && (
        <Empty
          title="No votes yet"
          code={`netd act <governor> voteProposal governorId=<governor> proposalId=${proposalId} vote=FOR`}
        >
          The weight of a vote is set when it is cast: the stake of its governor, up to its
          earnings, and its verified paid orders.
        </Empty>
      )}
      <ul className="plain-list">
        {votes.map(({ voterId, vote, stakeWeight, utilityWeight, castAt }) => (
          <li key={voterId}>
            <Actor id={voterId} />
            <span className="chip" data-tone={vote === 'FOR' ? 'money' : 'trouble'}>
              {vote === 'FOR' ? 'for' : 'against'}
            </span>
            <span className="soft">
              with <Net unet={stakeWeight} /> and {counted(utilityWeight, 'order')},{' '}
              <When at={castAt.height} />
            </span>
          </li>
        ))}
      </ul>
      <More list={list} name="More votes" />
    </Card>
  );
}
