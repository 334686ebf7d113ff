import { sha256Hex, utf8Text } from '@netd/protocol';
import { JudgeError, judging, Meter } from '@netd/protocol/judge';
import { chainReplay, type ChainReplay } from './chain-replay.ts';
import type { Acceptance, WorkScope } from './work-scope.ts';

/**
 * `open`: a person must look, or the replay is not possible here. A broken or too expensive condition is
 * never met.
 */
export type Verdict = 'met' | 'unmet' | 'open';

export interface Judgement {
  verdict: Verdict;
  conditions: { kind: Acceptance['kind'] | 'size'; verdict: Verdict; reason: string }[];
}

export interface JudgeOptions {
  /** Replays blocks; null if that is not possible here. Without it, such conditions stay open. */
  replay?: (range: { from: number; to: number }) => Promise<ChainReplay | null>;
  signal?: AbortSignal;
}

/**
 * Judges in slices, so that other tasks can run. Never throws because of deliverable or scope.
 * @param deliverable checked against its hash
 */
export async function judge(
  scope: WorkScope,
  deliverable: Uint8Array,
  options: JudgeOptions = {},
): Promise<Judgement> {
  const { maxBytes } = scope.deliverable;
  const conditions: Judgement['conditions'] = [];
  if (deliverable.length > maxBytes) {
    const reason = `${deliverable.length} bytes, where at most ${maxBytes} were asked for`;
    conditions.push({ kind: 'size', verdict: 'unmet', reason });
  } else {
    for (const condition of scope.acceptance) {
      conditions.push({
        kind: condition.kind,
        ...(await judgeOne(condition, deliverable, options)),
      });
    }
  }
  const has = (verdict: Verdict): boolean => conditions.some((each) => each.verdict === verdict);
  return { verdict: has('unmet') ? 'unmet' : has('open') ? 'open' : 'met', conditions };
}

/** Milliseconds. */
const PATIENCE = 30_000;

/** Returns null if time runs out before there is a verdict. */
export async function judgeInTime(
  scope: WorkScope,
  deliverable: Uint8Array,
  { milliseconds = PATIENCE, ...options }: JudgeOptions & { milliseconds?: number } = {},
): Promise<Judgement | null> {
  const deadline = AbortSignal.timeout(milliseconds);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    return await judge(scope, deliverable, { ...options, signal });
  } catch (error) {
    if (error === deadline.reason) return null;
    throw error;
  }
}

type Outcome = { verdict: Verdict; reason: string };

async function judgeOne(
  condition: Acceptance,
  deliverable: Uint8Array,
  { replay, signal }: JudgeOptions,
): Promise<Outcome> {
  switch (condition.kind) {
    case 'sha256':
      return outcome(sha256Hex(deliverable) === condition.hash, 'these are other bytes');
    case 'json-schema':
      return judgeJson(condition.schema, deliverable, signal);
    case 'chain-replay': {
      const { from, to } = condition;
      const expected = replay ? await replay({ from, to }) : null;
      if (expected === null)
        return { verdict: 'open', reason: `blocks ${from} to ${to} were not replayed here` };
      const same = chainReplay.make(expected).hash === sha256Hex(deliverable);
      return outcome(same, 'replaying these blocks gives another digest');
    }
    case 'review':
      return { verdict: 'open', reason: condition.question };
    default: {
      const { kind } = condition satisfies never as { kind: string };
      return { verdict: 'unmet', reason: `the kind ${kind} is not known here` };
    }
  }
}

async function judgeJson(
  schema: object,
  deliverable: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  let text: string;
  try {
    text = utf8Text(deliverable);
  } catch {
    return { verdict: 'unmet', reason: 'the deliverable is not UTF-8' };
  }
  try {
    const meter = new Meter();
    const job = judging(schema, text, deliverable.length, meter);
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = job.next();
      if (done) return outcome(value.isMet, `${value.path || 'the deliverable'} ${value.message}`);
      meter.startSlice();
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
    }
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    return { verdict: 'unmet', reason: [error.path, error.message].filter(Boolean).join(' ') };
  }
}

function outcome(met: boolean, reason: string): Outcome {
  return met ? { verdict: 'met', reason: '' } : { verdict: 'unmet', reason };
}
