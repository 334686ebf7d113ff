import { utf8Text } from '@netd/protocol';
import type { DocumentOf } from '../reads.ts';

type WorkOrder = DocumentOf<'/v1/work-orders/{orderId}'>['order'];

/** A verifier's vote. Its reason is untrusted content, or null if no store has it as text. */
export interface Finding {
  /** The verifier that voted. */
  verifierId: string;
  /** Its vote. */
  vote: string;
  /** Its reason in its own words; null if no store has it. */
  reason: string | null;
}

const MAX_BYTES = 65_536;
const MAX_CHARACTERS = 1_000;

export async function findingsOf(
  { verification }: { verification: Pick<NonNullable<WorkOrder['verification']>, 'votes'> | null },
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

export async function reasonAt(
  hash: string,
  fetch: (hash: string) => Promise<Uint8Array | null>,
): Promise<string | null> {
  return fetch(hash).then(wordsOf, () => null);
}

/** Returns `reason` of a JSON object, otherwise the text, as one line without control characters. */
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
  } catch {}
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return [...plain].slice(0, MAX_CHARACTERS).join('') || null;
}

export function reasonsAgainst(findings: readonly Finding[]): string[] {
  const against = findings.filter(({ vote }) => vote !== 'ACCEPT');
  return [...new Set(against.flatMap(({ reason }) => (reason === null ? [] : [reason])))];
}
