import {
  BlockHeader,
  FinalityCertificate,
  Hash,
  Height,
  MAX_VALIDATORS,
  Timestamp,
} from '@netd/protocol';
import { orNull, exactly, Type, type Static } from '@netd/protocol/type';
import type { Snapshot } from '@netd/engine/reads';
import { Boundaries } from '../shared/boundaries.ts';
import { defineDocument } from '../shared/read-document.ts';

export const FORK_PATH = '/v1/fork-evidence';

const CertifiedHeader = exactly(
  { header: BlockHeader, certificate: FinalityCertificate },
  { title: 'CertifiedHeader' },
);
export type CertifiedHeader = Static<typeof CertifiedHeader>;

/** The database, fork.json and the document share this form. */
export const ForkEvidence = exactly(
  {
    schema: Type.Literal('NET-FORK-EVIDENCE/1'),
    chainId: Type.String(),
    height: Height,
    ours: orNull(
      CertifiedHeader,
      'The block of this follower; null where theirs follows it and cannot be replayed.',
    ),
    theirs: CertifiedHeader,
    signedBoth: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MAX_VALIDATORS,
        description:
          'Ids of the validators whose votes stand in both certificates; none where ours is null. Evidence that an older version has kept does not say.',
      }),
    ),
    origin: Type.String({ description: 'Who told the other one.' }),
    reason: Type.String(),
    foundAt: Type.String({ description: 'RFC 3339, by the clock of this machine.' }),
  },
  { title: 'ForkEvidence' },
);
export type ForkEvidence = Static<typeof ForkEvidence>;

const SideOfFork = exactly(
  { blockHash: Hash, stateRoot: Hash, timestamp: Timestamp, certificateHash: Hash },
  { title: 'SideOfFork' },
);
type SideOfFork = Static<typeof SideOfFork>;

export const Fork = exactly(
  {
    height: Height,
    reason: Type.String(),
    ours: orNull(SideOfFork, 'Null where theirs follows our block and cannot be replayed.'),
    theirs: SideOfFork,
    foundAt: ForkEvidence.properties.foundAt,
  },
  { title: 'Fork' },
);

export function forkOf(snapshot: Snapshot): Static<typeof Fork> | null {
  const evidence = evidenceIn(snapshot);
  if (!evidence) return null;
  const { height, reason, ours, theirs, foundAt } = evidence;
  return { height, reason, ours: ours && sideOf(ours), theirs: sideOf(theirs), foundAt };
}

function sideOf({ header, certificate }: CertifiedHeader): SideOfFork {
  const { stateRoot, timestamp } = header;
  const { blockHash, certificateHash } = certificate;
  return { blockHash, stateRoot, timestamp, certificateHash };
}

function evidenceIn(snapshot: Snapshot): ForkEvidence | null {
  const text = snapshot.forkText();
  return text === null ? null : (JSON.parse(text) as ForkEvidence);
}

export const forkReport = defineDocument({
  name: 'NET-FORK-REPORT/1',
  route: FORK_PATH,
  operationId: 'getForkEvidence',
  tag: 'consensus',
  summary: 'Evidence of a fork, if this node has found one',
  description:
    'Two certified blocks of one height, or a certified block that breaks the rules: headers and certificates, for everyone to check.',
  content: {
    fork: orNull(ForkEvidence, 'Null if this node knows of none.'),
    howToVerify: Type.Array(Type.String()),
    boundaries: Boundaries,
  },
  build: (snapshot) => ({
    fork: evidenceIn(snapshot),
    howToVerify: [
      'Take the validator set from a genesis that you trust: its hash stands in both headers as validatorSetHash.',
      'Hash each header; its certificate must name that hash, and the signatures must be of a quorum of the set.',
      'Two headers of one height with different hashes, both certified: the validators in signedBoth have signed two histories.',
      'Where ours is null: theirs names a block of this node as its predecessor and is certified, and replaying it gives another state root.',
    ],
    links: {
      trust: '/v1/agent-trust',
      validatorSet: '/v1/consensus/validator-set',
      genesis: '/v1/genesis',
      verify: '/v1/chain/verify',
    },
    boundaries: [
      'This is a finding of the node that answers, not a fact of the chain: null says nothing about the findings of others.',
    ],
  }),
});
