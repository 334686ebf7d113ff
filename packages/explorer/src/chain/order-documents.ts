import { FormatError, isSealed, workScope } from '@netd/formats';
import type { DocumentOf } from '@netd/sdk/core';
import { findingsOf, reasonAt } from '@netd/sdk/internal';
import { fetchBlob, type Stores } from './stores.ts';

type Order = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

export type ScopeFound =
  | {
      is: 'read';
      instructions: string;
      conditions: string[];
      inputs: string[];
      deliverable: string;
    }
  | { is: 'missing' | 'busy' | 'sealed' | 'broken' };

export async function readScope(scopeHash: string, stores: Stores): Promise<ScopeFound> {
  const bytes = await fetchBlob(scopeHash, stores);
  if (typeof bytes === 'string') return { is: bytes === 'absent' ? 'missing' : 'busy' };
  try {
    const { instructions, acceptance, inputs, deliverable } = workScope.read(bytes, scopeHash);
    return {
      is: 'read',
      instructions,
      conditions: acceptance.map((one) => CONDITIONS[one.kind](one)),
      inputs: inputs.map(({ name }) => name),
      deliverable: `${deliverable.mediaType}, at most ${deliverable.maxBytes.toLocaleString('en')} bytes`,
    };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return { is: isSealed(bytes) ? 'sealed' : 'broken' };
  }
}

type Acceptance = ReturnType<typeof workScope.read>['acceptance'][number];
const CONDITIONS: { [Kind in Acceptance['kind']]: (one: Acceptance) => string } = {
  review: (one) => (one.kind === 'review' ? one.question : ''),
  sha256: (one) => (one.kind === 'sha256' ? `exactly the bytes with the hash ${one.hash}` : ''),
  'json-schema': () => 'JSON that conforms to the schema in the scope',
  'chain-replay': (one) =>
    one.kind === 'chain-replay' ? `the replay of blocks ${one.from} to ${one.to}` : '',
};

export interface Reasons {
  /** Reasons by verifier. A verifier is absent if no store has its reasons. */
  votes: ReadonlyMap<string, string>;
  dispute: string | null;
}

export async function readReasons(
  {
    votes,
    dispute,
  }: { votes: NonNullable<Order['verification']>['votes'] } & Pick<Order, 'dispute'>,
  stores: Stores,
): Promise<Reasons> {
  const fetch = async (hash: string): Promise<Uint8Array | null> => {
    const found = await fetchBlob(hash, stores);
    return typeof found === 'string' ? null : found;
  };
  const [findings, disputed] = await Promise.all([
    findingsOf({ verification: { votes } }, fetch),
    dispute ? reasonAt(dispute.reasonHash, fetch) : null,
  ]);
  const read = findings.flatMap(({ verifierId, reason }) =>
    reason === null ? [] : [[verifierId, reason] as const],
  );
  return { votes: new Map(read), dispute: disputed };
}
