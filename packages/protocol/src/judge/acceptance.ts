import { utf8Text } from '../bytes.ts';
import { isJsonObject } from '../json-value.ts';
import { judgeBySchema } from './judge-by-schema.ts';
import { JudgeError } from './judge-error.ts';
import type { Meter } from './meter.ts';

/** `open`: the bytes alone do not decide. */
export interface ProvenVerdict {
  verdict: 'met' | 'unmet' | 'open';
  /** JSON Pointer to the condition that is unmet or open; '' if all are met. */
  path: string;
}

/**
 * Judges conditions by bytes alone. A hash without the result proves no condition met, because anyone can copy
 * a hash.
 * @param result null if the proof lacks its bytes
 * @throws JudgeError if a schema is refused, or judging costs too much
 */
export function proveAcceptance(
  conditions: readonly unknown[],
  { hash, result }: { hash: string; result: Uint8Array | null },
  meter: Meter,
): ProvenVerdict {
  let open: string | null = result === null ? '' : null;
  for (const [index, condition] of conditions.entries()) {
    const path = `/${index}`;
    const verdict = verdictOf(condition, { hash, result, path }, meter);
    if (verdict === 'unmet') return { verdict, path };
    if (verdict === 'open') open ??= path;
  }
  return open === null ? { verdict: 'met', path: '' } : { verdict: 'open', path: open };
}

function verdictOf(
  condition: unknown,
  { hash, result, path }: { hash: string; result: Uint8Array | null; path: string },
  meter: Meter,
): ProvenVerdict['verdict'] {
  if (!isJsonObject(condition)) return 'open';
  if (condition['kind'] === 'sha256') return condition['hash'] === hash ? 'met' : 'unmet';
  if (condition['kind'] !== 'json-schema' || result === null) return 'open';
  let text: string;
  try {
    text = utf8Text(result);
  } catch {
    return 'unmet';
  }
  try {
    return judgeBySchema(condition['schema'], text, result.length, meter).isMet ? 'met' : 'unmet';
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    if (error.code === 'number') return 'unmet';
    const isOfSchema = error.code === 'schema' || error.code === 'pattern';
    const place = isOfSchema ? `${path}/schema${error.path}` : path;
    throw new JudgeError(error.code, place, error.message);
  }
}
