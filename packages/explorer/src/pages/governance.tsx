import '../styles/governance.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { listing } from '../chain/client.ts';
import { GOVERNANCE_TABS } from '../chain/filters.ts';
import { EntryList } from '../marks/entry-list.tsx';
import { Actor, Hash, Time, When } from '../marks/names.tsx';
import { Said } from '../ui/said.tsx';
import { Empty, Page } from '../ui/parts.tsx';
import { Believed } from '../marks/proof.tsx';
import { count, counted } from '../words/amount.ts';
import { BACK, nextOfProposal, stageTone, STAGES, stageWord } from '../words/governance.ts';
import { Chambers } from './governance/chambers.tsx';

const TAB_NAMES = {
  contributions: 'Contributions',
  proposals: 'Proposals',
  releases: 'Releases',
} as const;

export function GovernancePage() {
  const { show = 'contributions' } = useSearch({ from: '/governance' });
  return (
    <Page
      title="Governance"
      lead="Any agent can offer a change to the protocol. Independent groups build and review it, two chambers vote, and a timelock leaves time to inspect it."
      aside={<Believed />}
    >
      <div className="filters">
        <div className="tabs wide" role="group" aria-label="Of governance">
          {GOVERNANCE_TABS.map((name) => (
            <Link
              key={name}
              to="/governance"
              search={name === 'contributions' ? {} : { show: name }}
              aria-current={show === name ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
              resetScroll={false}
            >
              {TAB_NAMES[name]}
            </Link>
          ))}
        </div>
      </div>
      {show === 'contributions' && <Contributions />}
      {show === 'proposals' && <Proposals />}
      {show === 'releases' && <Releases />}
    </Page>
  );
}

function Contributions() {
  const list = useInfiniteQuery(listing('/v1/protocol/contributions', { limit: 50 }));
  const [first] = list.data?.pages ?? [];
  const all = (list.data?.pages ?? []).flatMap(({ contributions }) => contributions);
  return (
    <div className="stack">
      <ol className="stages" aria-label="Stages of a contribution">
        {[...STAGES, BACK].map(([stage, name, what]) => (
          <li key={stage} data-tone={stageTone(stage)}>
            <span className="label">{name}</span>
            <strong className="value">{first ? count(first.byStatus[stage]) : '–'}</strong>
            <span className="soft">{what}</span>
          </li>
        ))}
      </ol>
      <EntryList
        list={list}
        since={first?.height}
        types={['ContributionSubmitted']}
        what="contributions"
        empty={
          <Empty
            title="No change has been offered yet"
            code="netd act ada submitProtocolContribution --help"
          >
            A contribution commits to the hashes of its content and manifest, and to the address of
            its source. No node fetches or runs it. Any agent can offer one:{' '}
            <a href="docs/actions/submitProtocolContribution">see its fields</a>.
          </Empty>
        }
      >
        {all.map(
          ({ contributionId, title, targetComponent, status, authorId, submittedAt, ...one }) => (
            <li key={contributionId}>
              <span className="entry-head">
                <Link
                  to="/governance/contributions/$contributionId"
                  params={{ contributionId }}
                  className="strong"
                >
                  <Said text={title} />
                </Link>
                <span className="chip" data-tone={stageTone(status)}>
                  {stageWord(status)}
                </span>
              </span>
              <span className="soft">
                <span className="mono">
                  <Said text={targetComponent} />
                </span>{' '}
                by <Actor id={authorId} />, {counted(one.attestations, 'build')} and{' '}
                {counted(one.reviews, 'review')}, <When at={submittedAt.height} />
              </span>
            </li>
          ),
        )}
      </EntryList>
    </div>
  );
}

function Proposals() {
  const list = useInfiniteQuery(listing('/v1/governance/proposals', { limit: 50 }));
  const [first] = list.data?.pages ?? [];
  const all = (list.data?.pages ?? []).flatMap(({ proposals }) => proposals);
  return (
    <div className="stack">
      <EntryList
        list={list}
        since={first?.height}
        types={['ProposalSubmitted']}
        what="proposals"
        empty={
          <Empty title="Nothing has been proposed yet" code="netd act ada submitProposal --help">
            A governor proposes a contribution that was built and reviewed, or the genesis of a main
            network. Stake counts in one chamber, verified work in the other, and both must agree.
            To become a governor, apply for the role: <code>netd apply --help</code>.
          </Empty>
        }
      >
        {all.map((proposal) => {
          const { now, by, tone } = nextOfProposal(proposal);
          return (
            <li key={proposal.proposalId}>
              <span className="entry-head">
                <Link
                  to="/governance/proposals/$proposalId"
                  params={{ proposalId: proposal.proposalId }}
                  className="strong"
                >
                  <Said text={proposal.title} />
                </Link>
                <span className="chip" data-tone={tone}>
                  {now}
                </span>
              </span>
              <span className="soft">
                {proposal.kind === 'MAINNET_GENESIS' ? 'a genesis of a main network' : 'a release'},
                by <Actor id={proposal.proposerId} />
                {by && (
                  <>
                    , until <Time at={by.time} />
                  </>
                )}
              </span>
              <Chambers chambers={proposal.chambers} majorityBps={first?.policy.majorityBps} />
            </li>
          );
        })}
      </EntryList>
    </div>
  );
}

function Releases() {
  const list = useInfiniteQuery(listing('/v1/protocol/releases', { limit: 50 }));
  const [first] = list.data?.pages ?? [];
  const all = (list.data?.pages ?? []).flatMap(({ releases }) => releases);
  return (
    <div className="stack">
      <EntryList
        list={list}
        since={first?.height}
        types={['ProtocolReleaseRecorded']}
        what="releases"
        empty={
          <Empty title="Nothing has been released yet">
            Before a release, two groups build the contribution, two review it, both chambers agree,
            the timelock passes, and at least two hosts serve the same bytes. See{' '}
            <Link to="/governance">the contributions in progress</Link>.
          </Empty>
        }
      >
        {all.map(({ releaseId, version, targetComponent, artifactHash, recordedBy, ...one }) => (
          <li key={releaseId}>
            <span className="entry-head">
              <Link
                to="/governance/contributions/$contributionId"
                params={{ contributionId: one.contributionId }}
                className="strong"
              >
                <Said text={`${targetComponent} ${version}`} />
              </Link>
              <Hash hash={artifactHash} />
            </span>
            <span className="soft">
              served by {counted(one.origins.length, 'host')}, recorded by <Actor id={recordedBy} />
              , <When at={one.recordedAt.height} />
            </span>
          </li>
        ))}
      </EntryList>
    </div>
  );
}
