import '../../styles/governance.css';
import type { DocumentOf } from '@netd/sdk/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { reading } from '../../chain/client.ts';
import { useProof } from '../../chain/proofs.ts';
import { useReadAgain } from '../../chain/read-again.ts';
import { standingOfRecord } from '../../chain/records.ts';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { Actor, Hash, Net, OrderLink, Time, When } from '../../marks/names.tsx';
import { Card, Fact, Facts, Page, SkeletonCard } from '../../ui/parts.tsx';
import { MissingRecord } from '../../marks/missing-record.tsx';
import { ProofBadge } from '../../marks/proof.tsx';
import { STAGES, stageTone, stageWord } from '../../words/governance.ts';
import { capitalized, words } from '../../words/ids.ts';

export function ContributionPage() {
  const { contributionId } = useParams({ from: '/governance/contributions/$contributionId' });
  const found = useQuery(
    reading('/v1/protocol/contributions/{contributionId}', { contributionId }),
  );
  const { data } = found;
  const proof = useProof('state', data ? `contribution/${contributionId}` : '', data?.height);
  useReadAgain({ height: data?.height, refetch: found.refetch }, proof.proven?.height);
  const crumb = (
    <>
      <Link to="/governance">Governance</Link> / <span className="mono">{contributionId}</span>
    </>
  );
  if (!data) {
    return (
      <Page title={contributionId} crumb={crumb}>
        {found.isError ? (
          <MissingRecord
            stateKey={`contribution/${contributionId}`}
            error={found.error}
            what={`The contribution ${contributionId} could not be read.`}
          />
        ) : (
          <SkeletonCard lines={6} />
        )}
      </Page>
    );
  }
  const { contribution, attestations, reviews } = data;
  const { status } = contribution;
  const asRecorded = { ...contribution, attestations, reviews };
  const shown = { shown: asRecorded, height: data.height };
  const { standing, contradicts } = standingOfRecord('contribution', shown, proof);
  const reached = STAGES.findIndex(([stage]) => stage === status);
  return (
    <Page
      title={contribution.title}
      crumb={crumb}
      lead={
        <>
          for{' '}
          <span className="mono">
            <Said text={contribution.targetComponent} />
          </span>
          , by <Actor id={contribution.authorId} />
        </>
      }
      aside={
        <ProofBadge
          standing={standing}
          what="this contribution, its builds and its reviews"
          contradicts={contradicts}
          steps={['its record, with every build and review, is in the state, by a Merkle proof']}
        />
      }
    >
      <div className="stack">
        <ol className="stages" aria-label="Progress">
          {STAGES.map(([stage, name, what], at) => (
            <li
              key={stage}
              data-tone={stageTone(stage)}
              data-reached={at <= reached}
              aria-current={at === reached ? 'step' : undefined}
            >
              <span className="label">{name}</span>
              <span className="soft">{what}</span>
            </li>
          ))}
        </ol>
        {status === 'CHANGES_REQUIRED' && (
          <section className="card next-step" data-tone="trouble">
            <span className="chip" data-tone="trouble">
              {stageWord(status)}
            </span>
            <p>
              {contribution.reason !== null && `${capitalized(words(contribution.reason))}. `}
              {contribution.supersededBy === null ? (
                'Its author can offer a revision that names this one.'
              ) : (
                <>
                  Its revision is{' '}
                  <Link
                    to="/governance/contributions/$contributionId"
                    params={{ contributionId: contribution.supersededBy }}
                  >
                    {contribution.supersededBy}
                  </Link>
                  .
                </>
              )}
            </p>
          </section>
        )}
        <div className="split">
          <div className="stack">
            <Ahead of={data} />
            <Judges of={data} />
            {data.workReceipts.length > 0 && (
              <Card title="Paid work in it" aside={<span className="soft">unverified</span>}>
                <ul className="plain-list">
                  {data.workReceipts.map(({ orderId, paid, attributedAt }) => (
                    <li key={orderId}>
                      <OrderLink id={orderId} /> <Net unet={paid} />{' '}
                      <When at={attributedAt.height} />
                    </li>
                  ))}
                </ul>
              </Card>
            )}
          </div>
          <div className="stack">
            <Commitments of={data} />
          </div>
        </div>
      </div>
    </Page>
  );
}

type Detail = DocumentOf<'/v1/protocol/contributions/{contributionId}'>;

function Ahead({ of: { awaiting, gates } }: { of: Detail }) {
  return (
    <>
      {awaiting.length > 0 && (
        <Card title="Next step" aside={<span className="soft">unverified</span>}>
          <ul className="plain-list">
            {awaiting.map(({ action, role, detail, notBefore }) => (
              <li key={action}>
                <strong>{capitalized(words(action))}</strong>
                <span className="chip">{words(role)}</span>
                <span className="soft">
                  {detail}
                  {notBefore && (
                    <>
                      {' '}
                      Not before <Time at={notBefore.time} />.
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Gates" aside={<span className="soft">unverified</span>}>
        <ul className="plain-list gate-list">
          {gates.map(({ id, pass, actual, required, detail }) => (
            <li key={id} data-tone={pass ? 'money' : 'rules'}>
              <Icon name={pass ? 'check' : 'dots'} />
              <strong>{capitalized(id.replaceAll('-', ' '))}</strong>
              <span className="chip">
                {actual} of {required}
              </span>
              <span className="soft">{detail}</span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}

function Judges({ of: { attestations, reviews } }: { of: Detail }) {
  return (
    <Card title="Builds and reviews">
      {attestations.length + reviews.length === 0 && (
        <p className="inside soft">
          None yet. Verifiers with a bond build it, each in its own environment, and attest the
          result. Each independence group attests once.
        </p>
      )}
      <ul className="plain-list">
        {attestations.map((one) => (
          <li key={one.verifierId}>
            <Actor id={one.verifierId} />
            <Verdict said={one.result} what="built it" />
            <span className="soft">
              <Hash hash={one.buildHash} /> for the group <Said text={one.independenceGroup} />,{' '}
              <When at={one.attestedAt.height} />
            </span>
          </li>
        ))}
        {reviews.map((one) => (
          <li key={one.auditorId}>
            <Actor id={one.auditorId} />
            <Verdict said={one.verdict} what="reviewed it" />
            <span className="soft">
              report <Hash hash={one.reportHash} /> for the group{' '}
              <Said text={one.independenceGroup} />, <When at={one.reviewedAt.height} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Commitments({ of: { contribution, proposal, release } }: { of: Detail }) {
  return (
    <>
      <Card title="Commitments">
        <Facts>
          <Fact name="Content">
            <Hash hash={contribution.contentHash} />
          </Fact>
          <Fact name="Manifest">
            <Hash hash={contribution.manifestHash} />
          </Fact>
          <Fact name="Source">
            <Said text={contribution.sourceUri} />
            <br />
            <span className="soft">As its author states it; no node fetches it.</span>
          </Fact>
          <Fact name="License">
            <Said text={contribution.license} />
          </Fact>
          {contribution.rulesVersion !== undefined && (
            <Fact name="Rules">
              its release may schedule version {contribution.rulesVersion} of the rules
            </Fact>
          )}
          {contribution.buildHash !== null && (
            <Fact name="Build">
              <Hash hash={contribution.buildHash} />
            </Fact>
          )}
          <Fact name="Offered">
            <When at={contribution.submittedAt.height} />
          </Fact>
          {contribution.supersedes !== null && (
            <Fact name="Revision of">
              <Link
                to="/governance/contributions/$contributionId"
                params={{ contributionId: contribution.supersedes }}
              >
                {contribution.supersedes}
              </Link>
            </Fact>
          )}
          {proposal && (
            <Fact name="Proposal">
              <Link
                to="/governance/proposals/$proposalId"
                params={{ proposalId: proposal.proposalId }}
              >
                <Said text={proposal.title} />
              </Link>
            </Fact>
          )}
        </Facts>
      </Card>
      {release && (
        <Card title="Released" aside={<span className="soft">unverified</span>}>
          <Facts>
            <Fact name="Version">
              <Said text={release.version} />
            </Fact>
            <Fact name="Artifact">
              <Hash hash={release.artifactHash} />
            </Fact>
            {release.origins.map(({ uri }) => (
              <Fact key={uri} name="Served at">
                <Said text={uri} />
              </Fact>
            ))}
          </Facts>
        </Card>
      )}
    </>
  );
}

function Verdict({ said, what }: { said: 'PASS' | 'FAIL'; what: string }) {
  return (
    <span className="chip" data-tone={said === 'PASS' ? 'money' : 'trouble'}>
      {what}: {said === 'PASS' ? 'pass' : 'fail'}
    </span>
  );
}
