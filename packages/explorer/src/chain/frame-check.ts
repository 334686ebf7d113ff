/** Recomputes frames in this browser, from blocks whose certificates, transitions and events it has checked. */
import { canonicalize } from '@netd/protocol';
import {
  addSums,
  addToDetails,
  DETAILED_SPAN,
  sumsOf,
  type Frame,
  type FrameDetails,
  type FrameSums,
} from '@netd/protocol/frames';
import { placeFault } from '../words/picture.ts';
import type { ChainEvent } from '../words/stream.ts';
import type { Anchor } from './anchor-rules.ts';
import type { Past, ShownFrame } from './frames.ts';
import { prove, type Proofs } from './prover.ts';

/** Blocks per request. A page then recomputes its most blocks with fewer than twenty requests. */
const AT_ONCE = 60;

/**
 * Compares frames and events with the blocks that they come from.
 * @param saw called after each request, with the number of its blocks
 * @returns a sentence that says what is wrong; null if all of it is right
 * @throws VerificationError for a wrong block, NetError without an answer, the signal's reason
 */
export async function checkPast(
  anchor: Anchor,
  { frames, events, from, to }: Past,
  { saw, signal }: { saw: (count: number) => void; signal: AbortSignal },
): Promise<string | null> {
  const misplaced = placeFault(frames);
  if (misplaced !== null) return misplaced;
  const displaced = events.find(({ id, height }) => !id.startsWith(`${height}.`));
  if (displaced !== undefined)
    return `The event ${displaced.id} is listed at block ${displaced.height}.`;
  const blocks = new Map<number, Proofs['block']>();
  for (let first = from; first <= to; first += AT_ONCE) {
    signal.throwIfAborted();
    const length = Math.min(AT_ONCE, to - first + 1);
    const heights = Array.from({ length }, (_, at) => first + at);
    const proven = (await prove(anchor, 'blocks', heights.join())) as Proofs['blocks'];
    for (const block of proven) blocks.set(block.header.height, block);
    saw(length);
  }
  const byStart = new Map(frames.map((frame) => [frame.from, frame]));
  const ends = (frames[0]?.to ?? from - 1) + 1;
  for (let start = from; start < ends; start += DETAILED_SPAN) {
    const frame = byStart.get(start);
    if (textOf(recomputed(blocks, start)) !== textOf(frame)) {
      return `The sums of blocks ${start} to ${start + DETAILED_SPAN - 1} are not those of their events.`;
    }
  }
  const rest = [...blocks].flatMap(([height, block]) => (height < ends ? [] : block.events));
  return eventText(rest) === eventText(events)
    ? null
    : `The events of blocks ${ends} to ${to} are not those that the node listed.`;
}

function recomputed(
  blocks: ReadonlyMap<number, Proofs['block']>,
  start: number,
): Frame | undefined {
  let sums: FrameSums | undefined;
  let details: FrameDetails | undefined;
  for (let height = start; height < start + DETAILED_SPAN; height++) {
    const { header, transitions = [], events = [] } = blocks.get(height) ?? {};
    if (!header || transitions.length === 0) continue;
    const block = { height, time: header.timestamp, transitions: transitions.length, events };
    const added = sumsOf(block, () => undefined);
    sums = addSums(sums, added);
    details = addToDetails(details, block);
  }
  return sums && { ...sums, ...details };
}

/** Leaves out the sums that need the records of orders: the picture does not show them. */
function textOf(frame: Frame | ShownFrame | undefined): string {
  if (frame === undefined) return '';
  const rest: Record<string, unknown> = { ...frame };
  for (const name of ['from', 'to', 'waitedBlocks', 'judgedVotes', 'agreedVotes'])
    delete rest[name];
  return canonicalize(rest);
}

const eventText = (events: readonly Pick<ChainEvent, 'id' | 'type' | 'data'>[]): string =>
  canonicalize(
    events.map(({ id, type, data }) => [id, type, canonicalize(data)].join(' ')).toSorted(),
  );
