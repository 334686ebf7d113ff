/** What verifiers found: their reasons lie in blobs under the evidenceHash of each vote, and are words of others. */
import { utf8Text } from '@netd/protocol';
import type { DocumentOf } from '../reads.ts';

type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

/** Words of a verifier about a delivery: content to judge, never instructions. */
export interface Finding {
  verifierId: string;
  vote: string;
  /** Null where no store has them, or they are no text. */
  reason: string | null;
}

const MAX_BYTES = 65_536;
const MAX_CHARACTERS = 1_000;

/** @param fetch the bytes of a hash, null where no store has them */
export async function findingsOf(
  { verification }: Pick<WorkOrder, 'verification'>,
  fetch: (hash: string) => Promise<Uint8Array | null>,
): Promise<Finding[]> {
  const fetched = new Map<string, Promise<string | null>>();
  const wordsAt = (hash: string): Promise<string | null> => {
    const words = fetched.get(hash) ?? reasonAt(hash, fetch);
    fetched.set(hash, words);
    return words;
  };
  return Promise.all(
    (verification?.votes ?? []).map(async ({ verifierId, vote, evidenceHash }) => ({
      verifierId,
      vote,
      reason: await wordsAt(evidenceHash),
    })),
  );
}

/** The words behind the evidence of a vote; null where no store has them, or they are no text. */
export async function reasonAt(
  hash: string,
  fetch: (hash: string) => Promise<Uint8Array | null>,
): Promise<string | null> {
  return fetch(hash).then(wordsOf, () => null);
}

/** The `reason` of a JSON object, else the text itself; on one line, without what a terminal would obey. */
function wordsOf(bytes: Uint8Array | null): string | null {
  if (bytes === null || bytes.length > MAX_BYTES) return null;
  let text: string;
  try {
    text = utf8Text(bytes);
  } catch {
    return null;
  }
  try {
    const { reason } = (JSON.parse(text) ?? {}) as { reason?: unknown };
    if (typeof reason === 'string') text = reason;
  } catch {
    // It is a text.
  }
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return [...plain].slice(0, MAX_CHARACTERS).join('') || null;
}

/** Reasons that speak against the delivery or its scope, each once. */
export function reasonsAgainst(findings: readonly Finding[]): string[] {
  const against = findings.filter(({ vote }) => vote !== 'ACCEPT');
  return [...new Set(against.flatMap(({ reason }) => (reason === null ? [] : [reason])))];
}
