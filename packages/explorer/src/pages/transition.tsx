import { canonicalize } from '@netd/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { differences } from '../chain/agreement.ts';
import { reading } from '../chain/client.ts';
import { download } from '../ui/download.ts';
import { useProof } from '../chain/proofs.ts';
import { Actor, Face, Hash, Height, When } from '../marks/names.tsx';
import { Copy } from '../ui/copy.tsx';
import { Card, Empty, ErrorNote, Fact, Facts, Page, SkeletonCard } from '../ui/parts.tsx';
import { ProofBadge } from '../marks/proof.tsx';
import { Sentence } from '../marks/sentence.tsx';
import { Changed } from './transition/changed.tsx';
import { count, counted } from '../words/amount.ts';
import { describeEvent } from '@netd/protocol/sentences';
import { visibleJson } from '../words/strangers.ts';
import { capitalized, shortHash, transitionName } from '../words/ids.ts';

export function TransitionPage() {
  const { hash } = useParams({ from: '/transitions/$hash' });
  const transition = useQuery(
    reading('/v1/transitions/{transitionHash}', { transitionHash: hash }, 'fixed'),
  );
  const { data } = transition;
  const proof = useProof('transition', data ? hash : '');
  if (!data) {
    return (
      <Page title={`Transition ${shortHash(hash)}`} crumb={<Link to="/blocks">Blocks</Link>}>
        {transition.isError ? (
          <ErrorNote
            error={transition.error}
            what="No transition with this hash could be read."
            retry={transition.refetch}
          />
        ) : (
          <SkeletonCard lines={8} />
        )}
      </Page>
    );
  }
  const { envelope, receipt } = data;
  const actorId = envelope['actorId'];
  const name = transitionName(envelope);
  const contradicts = proof.proven
    ? differences({ envelope, receipt }, proof.proven, ['envelope', 'receipt'])
    : [];
  return (
    <Page
      title={capitalized(name)}
      crumb={
        <>
          <Link to="/blocks">Blocks</Link> / <Height at={receipt.height} />
        </>
      }
      lead={
        typeof actorId === 'string' ? (
          <>
            signed by <Actor id={actorId} />
          </>
        ) : (
          'executed by the rules of the chain, without a signature'
        )
      }
      aside={
        <ProofBadge
          standing={proof.standing}
          what="this transition and its events"
          contradicts={contradicts}
          steps={[
            'these bytes have this hash',
            `the hash is number ${receipt.index} of block ${count(receipt.height)}, by a Merkle proof`,
            'it caused these events and no others',
          ]}
        />
      }
    >
      <div className="split">
        <div className="stack">
          <Card title="Events">
            {receipt.events.length === 0 && (
              <Empty title="No event">It is in the chain, but no event reports a change.</Empty>
            )}
            <ol className="stream">
              {receipt.events.map(({ id, type, data: about }) => {
                const { parts, tone, actor } = describeEvent(type, about);
                return (
                  <li key={id} data-tone={tone}>
                    <span className="line-face">
                      {actor === null ? <i className="no-face" /> : <Face id={actor} size={24} />}
                    </span>
                    <span className="line-text">
                      <Sentence parts={parts} />
                    </span>
                    <span className="line-when soft mono">{id}</span>
                  </li>
                );
              })}
            </ol>
          </Card>
          <Changed events={receipt.events} />
          <Signed envelope={envelope} hash={hash} />
        </div>
        <Card title="Receipt">
          <Facts>
            <Fact name="In block">
              <When at={receipt.height} /> <span className="soft">as number {receipt.index}</span>
            </Fact>
            <Fact name="Hash">
              <Hash hash={hash} />
            </Fact>
            <Fact name="Block hash">
              <Hash hash={receipt.blockHash} />
            </Fact>
            <Fact name="State root after it">
              <Hash hash={receipt.stateRoot} />
            </Fact>
            <Fact name="Certificate">
              <Hash hash={receipt.certificateHash} />
            </Fact>
            <Fact name="Proof">
              {counted(data.proof.path.length, 'hash leads', 'hashes lead')} to the root of{' '}
              {count(data.proof.treeSize)}
            </Fact>
          </Facts>
        </Card>
      </div>
    </Page>
  );
}

/** Offers the canonical bytes, whose hash is the transition's. */
function Signed({ envelope, hash }: { envelope: Record<string, unknown>; hash: string }) {
  const bytes = canonicalize(envelope);
  return (
    <Card
      title={'signature' in envelope ? 'Signed envelope' : 'Bytes in the block'}
      aside={
        <span className="chips">
          <Copy text={bytes} what="exact bytes" />
          <button type="button" className="button" onClick={() => download(`${hash}.json`, bytes)}>
            Save the exact bytes
          </button>
        </span>
      }
    >
      <pre className="inside json">{visibleJson(envelope, 2)}</pre>
    </Card>
  );
}
