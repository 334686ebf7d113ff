import { MAX_JUDGEMENT_COST } from '../limits.ts';
import { checkSchema } from './check-schema.ts';
import { parseExactJson } from './exact-json.ts';
import { JudgeError } from './judge-error.ts';
import type { Meter } from './meter.ts';
import { conforms, preparedSchema } from './schema-judge.ts';

export interface SchemaVerdict {
  isMet: boolean;
  path: string;
  /** Text for people; '' if met. */
  message: string;
}

/**
 * Judges, and yields when the meter is due.
 * @throws JudgeError if the schema is refused, a number is too long, or judging costs too much
 */
export function* judging(
  schema: unknown,
  deliverable: string,
  byteLength: number,
  meter: Meter,
): Generator<void, SchemaVerdict> {
  const cost = checkSchema(schema);
  if (cost * byteLength > MAX_JUDGEMENT_COST) {
    throw new JudgeError('cost', '', `judging ${byteLength} bytes by this schema costs too much`);
  }
  // Preparing a schema takes time too.
  meter.steps += cost + (byteLength >> 4);
  meter.isDue();
  const value = parseExactJson(deliverable);
  if (value === undefined) {
    return { isMet: false, path: '', message: 'is not JSON, or nests too deep' };
  }
  const fault = yield* conforms(preparedSchema(schema as object), value, meter);
  meter.isDue();
  return fault ? { isMet: false, ...fault } : { isMet: true, path: '', message: '' };
}

export function judgeBySchema(
  schema: unknown,
  deliverable: string,
  byteLength: number,
  meter: Meter,
): SchemaVerdict {
  const job = judging(schema, deliverable, byteLength, meter);
  for (;;) {
    const { done, value } = job.next();
    if (done) return value;
    meter.startSlice();
  }
}
