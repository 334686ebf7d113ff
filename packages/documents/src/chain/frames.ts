import {
  DETAILED_SPAN,
  FRAME_JOBS,
  FRAME_PARTIES,
  FRAME_SPANS,
  Height,
  Timestamp,
  Unet,
} from '@netd/protocol';
import { exactly, orNull, Type } from '@netd/protocol/type';
import { makeCursor, readCursor } from '../shared/cursor.ts';
import { PAGE_CONTENT, pageQuery } from '../shared/page.ts';
import { defineDocument } from '../shared/read-document.ts';

const PAGE = { default: 20, maximum: 100 };

const Count = Type.Integer({ minimum: 0 });
const Place = exactly({ height: Height, time: Timestamp });
const Party = exactly(
  { id: orNull(Type.String()), unet: Unet, refused: Unet, times: Count },
  { title: 'FrameParty' },
);
const Role = Type.Optional(Type.Array(Party));
const Job = exactly(
  {
    orderId: Type.String(),
    height: Height,
    requesterId: Type.String(),
    workerId: Type.String(),
    isPaid: Type.Boolean(),
    unet: Unet,
  },
  { title: 'FrameJob' },
);
const FrameView = exactly(
  {
    from: Height,
    to: Height,
    first: Place,
    last: Place,
    blocks: Count,
    transitions: Count,
    agents: Count,
    offeredJobs: Count,
    paidJobs: Count,
    refusedJobs: Count,
    votes: Count,
    locked: Unet,
    earned: Unet,
    refunded: Unet,
    transferred: Unet,
    waitedBlocks: Count,
    judgedVotes: Count,
    agreedVotes: Count,
    requesters: Role,
    workers: Role,
    jurors: Role,
    jobs: Type.Optional(Type.Array(Job)),
  },
  {
    title: 'Frame',
    description: `The heights \`from\` to \`to\` in sums. Only spans of ${DETAILED_SPAN} name the ${FRAME_PARTIES} largest parties of each role, with \`id\` null for the others, and the newest ${FRAME_JOBS} finished jobs.`,
  },
);

export const frames = defineDocument({
  name: 'NET-FRAMES/1',
  route: '/v1/frames',
  operationId: 'listFrames',
  tag: 'events',
  summary: 'Sums of many blocks, newest first',
  description:
    'Computed from events and ended orders. Unproven: recompute one to check it; spans without transitions have none.',
  query: {
    span: Type.Optional(
      Type.Enum(FRAME_SPANS.map(String), {
        default: String(DETAILED_SPAN),
        description: 'Blocks in a frame.',
      }),
    ),
    before: Type.Optional({ ...Height, description: 'Only frames that end below this height.' }),
    ...pageQuery(PAGE),
  },
  content: {
    frames: Type.Array(FrameView),
    ...PAGE_CONTENT,
  },
  build: (snapshot, { span: asked, before, limit = PAGE.default, cursor }) => {
    const span = FRAME_SPANS.find((one) => String(one) === asked) ?? DETAILED_SPAN;
    const filters = { span, before: before ?? null };
    const end = Math.floor((before ?? Number.MAX_SAFE_INTEGER) / span);
    const below = Math.min(end, readCursor('frames', filters, cursor) ?? end);
    const read = snapshot.framesBelow(span, below, limit + 1);
    if (read.length <= limit) snapshot.requireHeld(0);
    const page = read.slice(0, limit);
    const next = read.length > limit ? (page.at(-1)?.index ?? null) : null;
    return {
      frames: page.map(({ index, frame }) => ({
        from: index * span,
        to: (index + 1) * span - 1,
        ...frame,
      })),
      total: next === null && cursor === undefined ? page.length : null,
      nextCursor: makeCursor('frames', filters, next),
    };
  },
});
