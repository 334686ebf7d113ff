import { exactly, Type, type Static } from './type.ts';
import { Hash, Height } from './schemas.ts';

export const ReceiptEvent = Type.Object(
  {
    id: Type.String({ description: '`height.index`, the position in the event feed.' }),
    type: Type.String(),
    data: Type.Object({}, { additionalProperties: true }),
  },
  { title: 'ReceiptEvent', additionalProperties: false },
);
export type ReceiptEvent = Static<typeof ReceiptEvent>;

export const Receipt = Type.Object(
  {
    height: Height,
    blockHash: Hash,
    stateRoot: Hash,
    transitionHash: Hash,
    index: Type.Integer({ minimum: 0, description: 'Position of the transition in its block.' }),
    certificateHash: Hash,
    events: Type.Array(ReceiptEvent),
  },
  {
    title: 'Receipt',
    additionalProperties: false,
    description:
      'Executed, durable and certified: the position of the transition, and its effects.',
  },
);
/** The committed outcome of an envelope: its block, and the events that it caused. */
export type Receipt = Static<typeof Receipt>;

export const MerkleProofSchema = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    treeSize: Type.Integer({ minimum: 1 }),
    path: Type.Array(Hash, { maxItems: 64 }),
  },
  {
    title: 'MerkleProof',
    additionalProperties: false,
    description: 'RFC 6962 audit path from the leaf to the root.',
  },
);

export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What happened and what to do.' }),
    code: Type.String({ description: 'Stable; branch on this.' }),
    requestId: Type.String(),
    errors: Type.Optional(Type.Array(exactly({ path: Type.String(), message: Type.String() }))),
    receipt: Type.Optional(Receipt),
    height: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'With CURSOR_STALE: the last height that the cursor may share with this chain.',
      }),
    ),
  },
  { title: 'Problem', additionalProperties: true, description: 'RFC 9457 problem details.' },
);
export type Problem = Static<typeof Problem>;
