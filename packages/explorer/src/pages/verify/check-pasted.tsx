import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { blockDifferences, differences } from '../../chain/agreement.ts';
import { useAnchor } from '../../chain/anchor.ts';
import { reading } from '../../chain/client.ts';
import { pastedOf, type Pasted } from '../../chain/pasted.ts';
import { useProof, type Proof, type ProofKind, type Proofs } from '../../chain/proofs.ts';
import { Height } from '../../marks/names.tsx';
import { Card } from '../../ui/parts.tsx';
import { visibleJson } from '../../words/strangers.ts';
import { ProofBadge } from '../../marks/proof.tsx';

export function CheckPasted() {
  const [typed, setTyped] = useState('');
  const pasted = pastedOf(typed);
  return (
    <Card title="Check anything">
      <div className="inside stack-small">
        <label htmlFor="pasted" className="soft">
          A hash, a height, a key of the state such as <code>account/ada</code>, or the JSON of a
          receipt, a block, a certificate, a checkpoint, a trust report or a proof. Paste it, or
          drop the file.
        </label>
        <textarea
          id="pasted"
          className="field"
          value={typed}
          spellCheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            const [file] = event.dataTransfer?.files ?? [];
            if (!file) return;
            event.preventDefault();
            void file.text().then(setTyped);
          }}
        />
        <Verdict key={typed} pasted={pasted} />
      </div>
    </Card>
  );
}

function Verdict({ pasted }: { pasted: Pasted }) {
  switch (pasted.kind) {
    case 'unknown':
      return pasted.why === '' ? null : <p className="soft">{pasted.why}</p>;
    case 'transition':
      return <OfHash hash={pasted.hash} />;
    case 'head':
      return <Head pasted={pasted} />;
    case 'receipt':
      return <Transition hash={pasted.hash} pasted={pasted} />;
    case 'certificate':
      return (
        <Block
          height={pasted.height}
          what="this certificate"
          document={{ certificate: pasted.document }}
        />
      );
    case 'block':
      return (
        <Block
          height={pasted.height}
          what={`block ${pasted.height}`}
          document={pasted.document ?? {}}
        />
      );
    default:
      return <State stateKey={pasted.key} document={pasted.document ?? {}} />;
  }
}

function Transition({ hash, pasted }: { hash: string; pasted?: Pasted & { kind: 'receipt' } }) {
  const proof = useProof('transition', hash);
  return (
    <Found
      proof={proof}
      what={pasted ? 'this receipt' : 'the transition of this hash'}
      differs={pasted && proof.proven ? transitionDifferences(pasted, proof.proven) : []}
    >
      <Link to="/transitions/$hash" params={{ hash }}>
        See the transition
      </Link>
    </Found>
  );
}

function OfHash({ hash }: { hash: string }) {
  const { standing } = useProof('transition', hash);
  const certificate = useQuery({
    ...reading('/v1/consensus/certificates/{certificateHash}', { certificateHash: hash }, 'fixed'),
    enabled: standing.standing === 'unproven',
    retry: false,
  });
  if (!certificate.data) return <Transition hash={hash} />;
  return (
    <Block
      height={certificate.data.height}
      what="the certificate of this hash"
      // A node could answer with the certificate of another block.
      document={{ certificate: { ...certificate.data, certificateHash: hash } }}
    />
  );
}

function Head({ pasted }: { pasted: Pasted & { kind: 'head' } }) {
  const { height, what, head, fault, genesisHash } = pasted;
  const anchor = useAnchor();
  const proof = useProof('block', String(height));
  if (fault !== null)
    return (
      <p className="error-note" role="alert">
        Do not rely on {what}: {fault}.
      </p>
    );
  const ofOther = genesisHash !== undefined && genesisHash !== anchor?.genesisHash;
  return (
    <Found
      proof={proof}
      what={what}
      differs={
        proof.proven
          ? [
              ...(ofOther ? ['genesisHash'] : []),
              ...differences(head, proof.proven.certificate, Object.keys(head)),
            ]
          : []
      }
    >
      It names block <Height at={height} /> of this chain, and that block is certified.
    </Found>
  );
}

function transitionDifferences(
  pasted: Pasted & { kind: 'receipt' },
  proven: Proofs['transition'],
): string[] {
  const { document } = pasted;
  return [
    ...differences(document, proven.receipt, Object.keys(document)),
    ...('envelope' in pasted ? differences({ ...pasted }, proven, ['envelope']) : []),
  ];
}

function Block({
  height,
  what,
  document,
}: {
  height: number;
  what: string;
  document: Readonly<Record<string, unknown>>;
}) {
  const proof = useProof('block', String(height));
  return (
    <Found
      proof={proof}
      what={what}
      differs={proof.proven ? blockDifferences(document, proof.proven) : []}
    >
      <Height at={height} />
    </Found>
  );
}

function State({
  stateKey,
  document,
}: {
  stateKey: string;
  document: Readonly<Record<string, unknown>>;
}) {
  const proof = useProof('state', stateKey);
  const { proven } = proof;
  return (
    <Found
      proof={proof}
      what={`the value of ${stateKey}`}
      differs={proven && 'value' in document ? differences(document, { ...proven }, ['value']) : []}
    >
      {proven &&
        (proven.present ? (
          <pre className="json">{visibleJson(proven.value, 2)}</pre>
        ) : (
          'Proven: the state has no such key.'
        ))}
    </Found>
  );
}

function Found({
  proof,
  what,
  differs = [],
  children,
}: {
  proof: Proof<ProofKind>;
  what: string;
  differs?: readonly string[];
  children?: React.ReactNode;
}) {
  const { standing } = proof;
  const failed = standing.standing === 'failed' || differs.length > 0;
  return (
    <div className="verdict" role="status">
      <ProofBadge
        standing={standing}
        what={what}
        contradicts={differs}
        steps={['it leads to a root that a block header has']}
      />
      <div>
        {standing.standing === 'proving' && `Checking ${what}…`}
        {standing.standing === 'failed' && (
          <>
            Do not rely on {what}: {standing.reason}.
          </>
        )}
        {standing.standing === 'unproven' && (
          <>
            No proof could be read for {what}: {standing.reason}
          </>
        )}
        {differs.length > 0 && (
          <>
            The chain has a different {differs.join(', ')} than {what}.
          </>
        )}
        {standing.standing === 'proven' && !failed && children}
      </div>
    </div>
  );
}
