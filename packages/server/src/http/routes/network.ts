import {
  canonicalize,
  FinalityCertificate,
  Genesis,
  Hash,
  Height,
  StateProof,
  Timestamp,
  verifyStateProof,
} from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import { proveState, type Snapshot, type VerificationStatus } from '@netd/engine';
import { chainIntegrity, networkStatus } from '@netd/documents';
import { byChain, noStore } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { problems } from '../schemas.ts';

const ChainVerification = exactly(
  {
    schema: Type.Literal('NET-CHAIN-VERIFICATION/1'),
    chainId: Type.String(),
    valid: Type.Boolean(),
    height: Height,
    latestBlockHash: Hash,
    latestStateRoot: Hash,
    checks: Type.Array(exactly({ id: Type.String(), pass: Type.Boolean() }), {
      description:
        'Of the newest block, see /v1/conventions. state-root: stateProof leads to latestStateRoot.',
    }),
    certificate: FinalityCertificate,
    stateProof: orNull(StateProof, 'null: damaged disk.'),
    verifiedHeight: Type.Integer({
      description:
        'Up to here hashes, links, lists and certificates are checked; −1 before the first.',
    }),
    fault: orNull(exactly({ height: Height, reason: Type.String() })),
    fullPasses: Type.Integer(),
    lastFullPass: orNull(exactly({ height: Height, endedAt: Timestamp })),
    replay: Type.String(),
  },
  { description: 'How far the background verifier is, and what fault it found.' },
);

/** Proves a record that every chain has since genesis. A failure means damage on disk. */
function proveRoot(snapshot: Snapshot): { stateProof: StateProof | null; fault: string | null } {
  try {
    const { certificate: _, height: __, ...stateProof } = proveState(snapshot, 'chain/identity');
    const { key, value, root } = stateProof;
    const verdict = verifyStateProof(key, canonicalize(value), stateProof, root);
    const proven = verdict.ok && verdict.present;
    return { stateProof, fault: proven ? null : `the record ${key} does not lead to the root` };
  } catch (error) {
    return { stateProof: null, fault: `the root cannot be proven: ${String(error)}` };
  }
}

function verifyHead(
  snapshot: Snapshot,
  status: VerificationStatus,
): Omit<Static<typeof ChainVerification>, 'replay'> {
  const { header, certificate } = snapshot.block;
  const { height } = header;
  const { stateProof, fault } = proveRoot(snapshot);
  const integrity = chainIntegrity(snapshot);
  return {
    schema: 'NET-CHAIN-VERIFICATION/1',
    chainId: header.chainId,
    valid: status.fault === null && integrity.valid && fault === null,
    height,
    latestBlockHash: certificate.blockHash,
    latestStateRoot: header.stateRoot,
    checks: [...integrity.checks, { id: 'state-root', pass: fault === null }],
    certificate,
    stateProof,
    ...status,
    fault: status.fault ?? (fault === null ? null : { height, reason: fault }),
  };
}

export const networkRoutes: Routes = (app, context) => {
  const { node, options } = context;

  app.get(
    '/v1/network',
    {
      schema: {
        operationId: 'getNetwork',
        tags: ['network'],
        summary: 'Consensus and finality status',
        response: { 200: networkStatus.schema, ...problems() },
      },
    },
    (_request, reply) => context.send(reply, () => networkStatus.renderLocal(context), noStore),
  );

  app.get(
    '/v1/genesis',
    {
      schema: {
        operationId: 'getGenesis',
        tags: ['network'],
        summary: 'The genesis document: with it and the blocks anyone can replay the chain',
        response: { 200: Genesis, ...problems() },
      },
    },
    (_request, reply) => context.send(reply, () => node.dataDir.genesis, byChain),
  );

  app.get(
    '/v1/chain/verify',
    {
      schema: {
        operationId: 'verifyChain',
        tags: ['network'],
        summary: 'Chain integrity: block hashes, predecessor links, latest state root',
        response: { 200: ChainVerification, ...problems() },
      },
    },
    (_request, reply) => {
      const status = node.backgroundVerifier.current();
      const replay = `npx netd verify --url ${options.publicUrl}`;
      const verify = (snapshot: Snapshot): Static<typeof ChainVerification> => ({
        ...verifyHead(snapshot, status),
        replay,
      });
      return context.send(reply, verify, noStore);
    },
  );
};
