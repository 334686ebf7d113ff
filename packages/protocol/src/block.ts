import { canonicalize } from './canonical-json.ts';
import { KIND_SCHEMAS } from './envelope.ts';
import { hashValue, sha256Hex } from './hash.ts';
import { Hash, Height, Timestamp } from './schemas.ts';
import { exactly, Type, type Static } from './type.ts';

/** Highest index of a transition or event in its block. */
export const MAX_INDEX = 65_535;

/** Sent when a laboratory returns to a snapshot. Not an event of the chain. */
export const RESET_EVENT = 'LaboratoryReverted';

/** Returns an id after every event up to the height, so a feed from it begins with the next block. */
export const lastEventId = (height: number): string => `${height}.${MAX_INDEX}`;

/** Compares numbers, not text: `10.2` follows `9.11`. */
export function compareEventIds(a: string, b: string): number {
  const [aHeight = 0, aIndex = 0] = a.split('.').map(Number);
  const [bHeight = 0, bIndex = 0] = b.split('.').map(Number);
  return aHeight - bHeight || aIndex - bIndex;
}

export const BlockHeader = Type.Object(
  {
    schema: Type.Literal('NET-BLOCK/1'),
    chainId: Type.String(),
    epoch: Type.Integer({ minimum: 1 }),
    height: Height,
    timestamp: Timestamp,
    previousBlockHash: Type.String({
      pattern: '^[a-f0-9]{64}$',
      description: 'blockHash of the predecessor; 64 zeros at height 0.',
    }),
    stateRoot: Hash,
    transitionsRoot: Hash,
    eventsRoot: Hash,
    transitionCount: Type.Integer({ minimum: 0 }),
    proposerId: Type.String(),
    validatorSetHash: Hash,
  },
  {
    title: 'BlockHeader',
    additionalProperties: false,
    description: 'The header of a block; blockHash is its hash.',
  },
);
export type BlockHeader = Static<typeof BlockHeader>;

export const GENESIS_PREVIOUS_HASH = '00'.repeat(32);

export function blockHash(header: BlockHeader): string {
  return hashValue(header);
}

export interface ChainEvent {
  type: string;
  transitionIndex: number;
  data: Record<string, unknown>;
}

export function eventText({ data, transitionIndex, type }: ChainEvent): string {
  return canonicalize({ data, transitionIndex, type });
}

export function eventHash(event: ChainEvent): string {
  return sha256Hex(eventText(event));
}

/** A transition without signature, because the ledger's rules made it due at this height. */
export const SystemTransition = exactly({
  schema: Type.Literal(KIND_SCHEMAS.system),
  kind: Type.String(),
  height: Height,
  subject: Type.String(),
});
export type SystemTransition = Static<typeof SystemTransition>;
