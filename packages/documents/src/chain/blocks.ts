import {
  blockHash,
  BlockHeader,
  canonicalize,
  committedKind,
  ENVELOPE_KINDS,
  FinalityCertificate,
  Hash,
  Height,
  MAX_BLOCK_BYTES,
  sha256Hex,
} from '@netd/protocol';
import { exactly, Type } from '@netd/protocol/type';
import { ApiError, type Snapshot, type StoredBlock } from '@netd/engine/reads';
import { FeedEvent } from './event-page.ts';
import { documentHead, documentSchema } from '../shared/facts.ts';
import { firstHeight } from '../shared/first-height.ts';
import { ChainIntegrity, chainIntegrity } from '../shared/integrity.ts';
import { CONVENTIONS_PATH, Links } from '../shared/links.ts';
import { PAGE_CONTENT } from '../shared/page.ts';

const ListedBlock = exactly({ ...BlockHeader.properties, blockHash: Hash, certificateHash: Hash });

export const BlockListDocument = documentSchema(
  'NET-BLOCK-LIST/1',
  {
    verification: exactly({
      valid: Type.Boolean({ description: 'All that follows holds.' }),
      checks: ChainIntegrity.properties.checks,
      latestHeight: Height,
      latestBlockHash: Hash,
      latestStateRoot: Hash,
      pageLinked: Type.Boolean({
        description:
          'Each header of this page hashes to its blockHash and names its predecessor, if that is on the page.',
      }),
    }),
    blocks: Type.Array(ListedBlock),
    ...PAGE_CONTENT,
    links: Links,
  },
  'Block headers, newest first.',
);

export function blockListDocument(
  snapshot: Snapshot,
  page: { from: number; limit: number; cursorOf: (height: number | null) => string | null },
): object {
  const blocks: StoredBlock[] = [];
  const first = firstHeight(snapshot);
  for (let height = page.from; height >= first && blocks.length < page.limit; height--) {
    const block = snapshot.blockAt(height);
    if (!block) throw new Error(`block ${height} is missing`);
    blocks.push(block);
  }
  const last = blocks.at(-1)?.header.height ?? 0;
  return listOf(snapshot, blocks, {
    total: snapshot.height + 1 - first,
    nextCursor: page.cursorOf(last > first && blocks.length > 0 ? last : null),
  });
}

/** Returns the blocks at these heights, newest first. Skips duplicates and missing heights. */
export function blocksAtDocument(snapshot: Snapshot, heights: readonly number[]): object {
  const blocks = [...new Set(heights)]
    .filter((height) => height <= snapshot.height && height >= firstHeight(snapshot))
    .toSorted((a, b) => b - a)
    .flatMap((height) => snapshot.blockAt(height) ?? []);
  return listOf(snapshot, blocks, { total: blocks.length, nextCursor: null });
}

function listOf(
  snapshot: Snapshot,
  blocks: readonly StoredBlock[],
  page: { total: number; nextCursor: string | null },
): object {
  const { header, certificate } = snapshot.block;
  const integrity = chainIntegrity(snapshot);
  const pageLinked = isLinked(blocks);
  return {
    ...documentHead(snapshot, 'NET-BLOCK-LIST/1'),
    verification: {
      valid: integrity.valid && pageLinked,
      checks: integrity.checks,
      latestHeight: header.height,
      latestBlockHash: certificate.blockHash,
      latestStateRoot: header.stateRoot,
      pageLinked,
    },
    blocks: blocks.map((block) => ({
      ...block.header,
      blockHash: block.certificate.blockHash,
      certificateHash: block.certificate.certificateHash,
    })),
    ...page,
    links: { verify: '/v1/chain/verify', conventions: CONVENTIONS_PATH },
  };
}

function isLinked(blocks: readonly StoredBlock[]): boolean {
  return blocks.every(({ header, certificate }, index) => {
    const next = blocks[index + 1];
    const predecessor = next?.header.height === header.height - 1 ? next : undefined;
    return (
      blockHash(header) === certificate.blockHash &&
      (!predecessor || header.previousBlockHash === predecessor.certificate.blockHash)
    );
  });
}

export const BlockDocument = exactly(
  {
    schema: Type.Literal('NET-BLOCK-DETAIL/1'),
    chainId: Type.String(),
    header: BlockHeader,
    blockHash: Hash,
    transitions: Type.Array(
      exactly({
        index: Type.Integer(),
        kind: Type.Enum([...ENVELOPE_KINDS]),
        transitionHash: Hash,
        envelope: Type.Object({}, { additionalProperties: true }),
      }),
    ),
    events: Type.Array(FeedEvent),
    certificate: FinalityCertificate,
  },
  { description: 'One block whole, to replay after those before it.' },
);

export const WHOLE_BLOCKS = 'NET-WHOLE-BLOCKS/1';

export const WholeBlocksDocument = exactly(
  {
    schema: Type.Literal(WHOLE_BLOCKS),
    chainId: Type.String(),
    blocks: Type.Array(BlockDocument, { minItems: 1 }),
  },
  {
    description:
      'The blocks in the order of the request; only the first ones if the answer would be too long.',
  },
);

export interface BlockQuery {
  height: number;
  events?: 'all' | 'none';
}

function beforeFork(snapshot: Snapshot, height: number): { message?: string } {
  const { fork } = snapshot.get('chain', 'identity') ?? {};
  if (!fork || height > fork.height) return {};
  const { chainId } = fork;
  return {
    message: `This chain is a fork of ${chainId} and begins with block ${fork.height + 1}: ask a node of ${chainId} for block ${height}`,
  };
}

/**
 * Concatenates stored canonical JSON, because a block may contain thousands of transitions and events.
 * @throws ApiError BLOCK_NOT_FOUND if this chain does not have the height
 */
export function blockText(snapshot: Snapshot, { height, events: wanted }: BlockQuery): string {
  const block = snapshot.blockAt(height, true);
  if (!block) throw new ApiError('BLOCK_NOT_FOUND', beforeFork(snapshot, height));
  const transitions = snapshot.transitionsOf(height).map(({ index, text }) => {
    const kind = committedKind(text);
    return `{"envelope":${text},"index":${index},"kind":"${kind}","transitionHash":"${sha256Hex(text)}"}`;
  });
  const stored = wanted === 'none' ? [] : snapshot.eventTexts(height);
  const events = stored.map(({ index, text }) => {
    // The canonical order is data, id, transitionIndex, type. Neither of the last two can contain this text.
    const rest = text.lastIndexOf(',"transitionIndex":');
    return `${text.slice(0, rest)},"id":"${height}.${index}"${text.slice(rest)}`;
  });
  const members = {
    blockHash: canonicalize(block.certificate.blockHash),
    certificate: canonicalize(block.certificate),
    chainId: canonicalize(block.header.chainId),
    events: `[${events.join(',')}]`,
    header: canonicalize(block.header),
    schema: '"NET-BLOCK-DETAIL/1"',
    transitions: `[${transitions.join(',')}]`,
  };
  return `{${Object.entries(members)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;
}

/**
 * Returns the first blocks of these heights, each once, and as many as fit. The first one always fits.
 * @param heights with commas between
 * @param most characters of all blocks together
 * @throws ApiError BLOCK_NOT_FOUND if this chain does not have one of the heights that fit
 */
export function wholeBlocksText(
  snapshot: Snapshot,
  { heights }: { heights: string },
  most = MAX_BLOCK_BYTES,
): string {
  const texts: string[] = [];
  let length = 0;
  for (const height of new Set(heights.split(',').map(Number))) {
    const text = blockText(snapshot, { height });
    length += text.length;
    if (length > most && texts.length > 0) break;
    texts.push(text);
  }
  const chainId = canonicalize(snapshot.block.header.chainId);
  return `{"blocks":[${texts.join(',')}],"chainId":${chainId},"schema":"${WHOLE_BLOCKS}"}`;
}
