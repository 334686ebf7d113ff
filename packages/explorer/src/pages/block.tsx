import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { DocumentOf } from '@netd/sdk/core';
import { blockDifferences } from '../chain/agreement.ts';
import { reading } from '../chain/client.ts';
import { useLiveHeight } from '../chain/live.ts';
import { useProof } from '../chain/proofs.ts';
import { Actor, Face, Hash, Time, TransitionLink } from '../marks/names.tsx';
import { Card, Empty, ErrorNote, Fact, Facts, Page, SkeletonCard } from '../ui/parts.tsx';
import { ProofBadge } from '../marks/proof.tsx';
import { Sentence } from '../marks/sentence.tsx';
import { count, counted } from '../words/amount.ts';
import { describeEvent } from '@netd/protocol/sentences';
import { transitionName } from '../words/ids.ts';
import { exactTime } from '../words/time.ts';

type Block = DocumentOf<'/v1/blocks/{height}'>;

export function BlockPage() {
  const { height } = useParams({ from: '/blocks/$height' });
  const at = Number(height);
  const isHeight = /^\d{1,15}$/.test(height);
  const block = useQuery({
    ...reading('/v1/blocks/{height}', { height: at }, 'fixed'),
    enabled: isHeight,
  });
  const { data } = block;
  const proof = useProof('block', data ? height : '');
  const head = useLiveHeight();
  const aside = data && (
    <ProofBadge
      standing={proof.standing}
      what={`block ${count(at)}`}
      contradicts={proof.proven ? blockDifferences(data, proof.proven) : []}
      steps={[
        'its header has the certified hash',
        `its ${counted(data.transitions.length, 'transition is', 'transitions are')} all that the header commits to`,
        `so are its ${count(data.events.length)} events`,
      ]}
    />
  );
  return (
    <Page
      title={`Block ${isHeight ? count(at) : height}`}
      crumb={<Link to="/blocks">Blocks</Link>}
      aside={aside}
      lead={
        data && (
          <>
            made <Time at={data.header.timestamp} /> by {data.header.proposerId}
          </>
        )
      }
    >
      {!data && (block.isError || !isHeight) && (
        <ErrorNote
          error={block.error}
          what={`Block ${height} could not be read. The newest block is ${count(head)}.`}
        />
      )}
      {!data && block.isLoading && <SkeletonCard lines={8} />}
      {data && <Shown block={data} head={head} />}
    </Page>
  );
}

function Shown({ block, head }: { block: Block; head: number }) {
  const { header, certificate, transitions, events } = block;
  const { height } = header;
  const { fork } = useQuery(reading('/v1/network')).data ?? {};
  const first = fork ? fork.height + 1 : 0;
  return (
    <div className="stack">
      <nav className="steps" aria-label="Other blocks">
        {height > first && (
          <Link to="/blocks/$height" params={{ height: String(height - 1) }} className="button">
            ← {count(height - 1)}
          </Link>
        )}
        {height < head && (
          <Link to="/blocks/$height" params={{ height: String(height + 1) }} className="button">
            {count(height + 1)} →
          </Link>
        )}
      </nav>
      <div className="split">
        <Card
          title="Transitions"
          aside={
            <span className="soft">
              {counted(transitions.length, 'transition')}, {counted(events.length, 'event')}
            </span>
          }
        >
          {transitions.length === 0 && (
            <Empty title="An empty block">
              An idle chain still makes a block now and then, to show that it is running.
            </Empty>
          )}
          <ol className="transitions">
            {transitions.map(({ transitionHash, envelope, index }) => {
              const actorId = envelope['actorId'];
              return (
                <li key={transitionHash}>
                  <div className="transition-head">
                    {typeof actorId === 'string' ? (
                      <Actor id={actorId} />
                    ) : (
                      <span className="soft">the chain itself</span>
                    )}
                    <span className="chip">{transitionName(envelope)}</span>
                    <TransitionLink hash={transitionHash} />
                  </div>
                  <ul>
                    {events
                      .filter(({ transitionIndex }) => transitionIndex === index)
                      .map(({ id, type, data }) => {
                        const { parts, tone, actor } = describeEvent(type, data);
                        return (
                          <li key={id} data-tone={tone}>
                            {actor !== null && <Face id={actor} size={16} />}{' '}
                            <Sentence parts={parts} />
                          </li>
                        );
                      })}
                  </ul>
                </li>
              );
            })}
          </ol>
        </Card>
        <div className="stack">
          <Card title="Header">
            <Facts>
              <Fact name="Time">{exactTime(Date.parse(header.timestamp))}</Fact>
              <Fact name="Block hash">
                <Hash hash={block.blockHash} />
              </Fact>
              <Fact name="Previous block">
                <Hash hash={header.previousBlockHash} />
              </Fact>
              <Fact name="State root">
                <Hash hash={header.stateRoot} />
              </Fact>
              <Fact name="Transitions root">
                <Hash hash={header.transitionsRoot} />
              </Fact>
              <Fact name="Events root">
                <Hash hash={header.eventsRoot} />
              </Fact>
            </Facts>
          </Card>
          <Card title="Certificate">
            <Facts>
              <Fact name="Votes">
                {certificate.votes.map(({ validatorId }) => validatorId).join(', ')}
                <span className="soft">
                  {' '}
                  with {certificate.votingPower} of {certificate.totalVotingPower} power
                </span>
              </Fact>
              <Fact name="Hash">
                <Hash hash={certificate.certificateHash} />
              </Fact>
              <Fact name="Validator set">
                <Hash hash={certificate.validatorSetHash} />
              </Fact>
            </Facts>
          </Card>
        </div>
      </div>
    </div>
  );
}
