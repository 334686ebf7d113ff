/** NET-BLOCK-LIST/1 and NET-BLOCK-DETAIL/1: the chain as headers, and one block whole. */
import {
  blockHash,
  BlockHeader,
  ENVELOPE_KINDS,
  envelopeKind,
  FinalityCertificate,
  Hash,
  Height,
  sha256Hex,
  type JsonObject,
} from '@netd/protocol';
import Type from 'typebox';
import { documentSchema, NextCursor } from '../http/schemas.ts';
import type { Snapshot, StoredBlock } from '../store/snapshot.ts';
import { documentHead } from './facts.ts';

const ListedBlock = Type.Object(
  { ...BlockHeader.properties, blockHash: Hash, certificateHash: Hash },
  { additionalProperties: false },
);

export const BlockListDocument = documentSchema(
  'NET-BLOCK-LIST/1',
  {
    verification: Type.Object(
      {
        latestHeight: Height,
        latestBlockHash: Hash,
        latestStateRoot: Hash,
        pageLinked: Type.Boolean({
          description:
            'The headers of this page hash to their blockHash and each names its predecessor.',
        }),
        report: Type.String({ description: 'Where the whole chain is checked.' }),
      },
      { additionalProperties: false },
    ),
    blocks: Type.Array(ListedBlock, { description: 'Newest first.' }),
    nextCursor: NextCursor,
  },
  'Block headers, newest first.',
);

export function blockListDocument(
  snapshot: Snapshot,
  page: { from: number; limit: number; cursorOf: (height: number | null) => string | null },
): object {
  const { header, certificate } = snapshot.block;
  const blocks: StoredBlock[] = [];
  for (let height = page.from; height >= 0 && blocks.length < page.limit; height--) {
    const block = snapshot.blockAt(height);
    if (!block) throw new Error(`block ${height} is missing`);
    blocks.push(block);
  }
  const last = blocks.at(-1)?.header.height ?? 0;
  return {
    ...documentHead(snapshot, 'NET-BLOCK-LIST/1'),
    verification: {
      latestHeight: header.height,
      latestBlockHash: certificate.blockHash,
      latestStateRoot: header.stateRoot,
      pageLinked: isLinked(blocks),
      report: '/v1/chain/verify',
    },
    blocks: blocks.map((block) => ({
      ...block.header,
      blockHash: block.certificate.blockHash,
      certificateHash: block.certificate.certificateHash,
    })),
    nextCursor: page.cursorOf(last > 0 && blocks.length > 0 ? last : null),
  };
}

function isLinked(blocks: readonly StoredBlock[]): boolean {
  return blocks.every(({ header, certificate }, index) => {
    const predecessor = blocks[index + 1];
    return (
      blockHash(header) === certificate.blockHash &&
      (!predecessor || header.previousBlockHash === predecessor.certificate.blockHash)
    );
  });
}

export const BlockDocument = Type.Object(
  {
    schema: Type.Literal('NET-BLOCK-DETAIL/1'),
    header: BlockHeader,
    blockHash: Hash,
    transitions: Type.Array(
      Type.Object(
        {
          index: Type.Integer(),
          kind: Type.Enum([...ENVELOPE_KINDS]),
          transitionHash: Hash,
          envelope: Type.Object({}, { additionalProperties: true }),
        },
        { additionalProperties: false },
      ),
    ),
    events: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          transitionIndex: Type.Integer(),
          type: Type.String(),
          data: Type.Object({}, { additionalProperties: true }),
        },
        { additionalProperties: false },
      ),
    ),
    certificate: FinalityCertificate,
  },
  {
    additionalProperties: false,
    description: 'One block whole: with it and its predecessors anyone can replay the chain.',
  },
);

export function blockDocument(snapshot: Snapshot, height: number): object | null {
  const block = snapshot.blockAt(height);
  if (!block) return null;
  return {
    schema: 'NET-BLOCK-DETAIL/1',
    header: block.header,
    blockHash: block.certificate.blockHash,
    transitions: snapshot.transitionsOf(height).map(({ index, text }) => {
      const envelope = JSON.parse(text) as JsonObject;
      return { index, kind: envelopeKind(envelope), transitionHash: sha256Hex(text), envelope };
    }),
    events: snapshot.eventsOf(height).map(({ index, transitionIndex, type, data }) => ({
      id: `${height}.${index}`,
      transitionIndex,
      type,
      data,
    })),
    certificate: block.certificate,
  };
}
