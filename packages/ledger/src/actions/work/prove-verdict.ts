import {
  base64ToBytes,
  canonicalize,
  isJsonObject,
  MAX_PROOF_BYTES,
  MAX_PROOF_STEPS,
  MAX_PROOF_STEPS_OF_BLOCK,
  RecordId,
  sha256Hex,
  utf8Text,
  type ErrorCode,
} from '@netd/protocol';
import {
  JudgeError,
  Meter,
  parseExactJson,
  proveAcceptance,
  type ProvenVerdict,
} from '@netd/protocol/judge';
import { exactly, Type } from '@netd/protocol/type';
import { defineAction } from '../../action.ts';
import { requireThat } from '../../rule-error.ts';
import type { CheckContext } from '../../transition.ts';
import { firstVerdictOf, payOrder, rejectOrder, requireOrder, workerOf } from './order.ts';
import { slashDisproven } from './slash-verifier.ts';

/** Pieces, because the strings of an envelope are short. */
const pieces = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2_048, pattern: '^[A-Za-z0-9+/]+=*$' }), {
    minItems: 1,
    maxItems: 30,
    description: `${description}, in base64, cut into pieces.`,
  });

export const proveVerdict = defineAction({
  name: 'proveVerdict',
  summary:
    'Prove that a delivered result meets the acceptance of its order, or that it does not, which ends the order at once.',
  since: 2,
  grant: { AGENT: 'base', HUMAN: 'application' },
  payload: exactly({
    orderId: RecordId,
    acceptance: pieces('The NET-ACCEPTANCE/1 whose SHA-256 is the acceptanceHash of the order'),
    result: Type.Optional(pieces('The deliverable; without it only another sha256 can be proven')),
  }),
  errors: [
    'WORK_ORDER_UNKNOWN',
    'NOT_WORK_PARTY',
    'WORK_NOT_IN_VERIFICATION',
    'WORK_NOT_PROVABLE',
    'PROOF_MISMATCH',
    'PROOF_TOO_COSTLY',
    'PROOF_UNJUDGEABLE',
    'PROOF_INCONCLUSIVE',
    'PROOF_BLOCK_FULL',
  ],
  events: [
    'VerdictProven',
    'VoteDisproven',
    'WorkerBondReturned',
    'DisputeSettled',
    'WorkOrderPaid',
    'WorkOrderRejected',
    'ReferralQualified',
  ],

  check(context, payload) {
    const { state, authority } = context;
    const order = requireOrder(state, payload.orderId);
    const path = '/payload/orderId';
    const { requesterId, workerId, acceptanceHash, result } = order;
    requireThat([requesterId, workerId].includes(authority.actorId), 'NOT_WORK_PARTY', path);
    requireThat(order.status === 'VERIFYING' && result, 'WORK_NOT_IN_VERIFICATION', path);
    requireThat(acceptanceHash !== undefined, 'WORK_NOT_PROVABLE', path);
    const hash = result.deliverableHash;
    const acceptance = bytesOf(payload.acceptance, acceptanceHash, '/payload/acceptance');
    const bytes = payload.result ? bytesOf(payload.result, hash, '/payload/result') : null;
    const size = acceptance.length + (bytes?.length ?? 0);
    requireThat(
      size <= MAX_PROOF_BYTES,
      'PROOF_TOO_COSTLY',
      '/payload',
      () => `${size} bytes, at most ${MAX_PROOF_BYTES}`,
    );
    const before = stepsOfBlock(context);
    requireThat(
      before + MAX_PROOF_STEPS <= MAX_PROOF_STEPS_OF_BLOCK,
      'PROOF_BLOCK_FULL',
      '/payload',
    );
    const judged = judgedOnce(`${acceptanceHash} ${hash} ${bytes !== null}`, () =>
      judge(acceptance, { hash, result: bytes }),
    );
    const { verdict, steps, refusal } = judged;
    if (refusal) requireThat(false, refusal.code, refusal.path, refusal.message);
    return { order, isMet: verdict === 'met', steps: before + steps };
  },

  apply(context, _payload, { order, isMet, steps }) {
    const { state, block, authority, emit } = context;
    const { orderId, requesterId, verificationFee, dispute, unjudged } = order;
    state.put('proof-steps', 'latest', { height: block.height, steps });
    const first = firstVerdictOf(order);
    emit('VerdictProven', {
      actorId: authority.actorId,
      orderId,
      outcome: isMet ? 'PAID' : 'REJECTED',
      refund: isMet && first !== 'VERIFIED' && !dispute && !unjudged ? verificationFee : 0,
      requesterId,
      workerId: workerOf(order),
    });
    slashDisproven(context, order, isMet ? 'REJECT' : 'ACCEPT');
    if (isMet) return payOrder(context, order);
    rejectOrder(context, order, first === 'REJECTED' ? 'VERIFICATION_REJECTED' : 'DISPROVEN');
  },
});

function bytesOf(parts: readonly string[], hash: string, path: string): Uint8Array {
  let bytes: Uint8Array | null = null;
  try {
    bytes = base64ToBytes(parts.join(''));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  requireThat(bytes !== null && sha256Hex(bytes) === hash, 'PROOF_MISMATCH', path);
  return bytes;
}

/**
 * Returns the conditions; null if the document breaks its schema or is not canonical. Canonical JSON gives every
 * reader the same conditions.
 */
function conditionsOf(acceptance: Uint8Array): readonly unknown[] | null {
  let value: unknown;
  try {
    const text = utf8Text(acceptance);
    // parseExactJson also bounds the depth.
    if (parseExactJson(text) !== undefined) value = JSON.parse(text);
    if (canonicalize(value) !== text) return null;
  } catch {
    return null;
  }
  if (!isJsonObject(value) || value['schema'] !== 'NET-ACCEPTANCE/1') return null;
  const conditions = value['acceptance'];
  const isList = Array.isArray(conditions) && conditions.length > 0;
  return isList && conditions.length <= MAX_CONDITIONS ? conditions : null;
}

interface Judged {
  verdict: ProvenVerdict['verdict'];
  steps: number;
  refusal?: { code: ErrorCode; path: string; message?: string };
}

function judge(
  acceptance: Uint8Array,
  delivered: { hash: string; result: Uint8Array | null },
): Judged {
  const meter = new Meter(MAX_PROOF_STEPS);
  const refused = (code: ErrorCode, path: string, message?: string): Judged => ({
    verdict: 'open',
    steps: meter.steps,
    refusal: { code, path, ...(message === undefined ? {} : { message }) },
  });
  const conditions = conditionsOf(acceptance);
  if (!conditions) return refused('PROOF_UNJUDGEABLE', '/payload/acceptance');
  const place = '/payload/acceptance/acceptance';
  try {
    const { verdict, path } = proveAcceptance(conditions, delivered, meter);
    if (verdict === 'open') return refused('PROOF_INCONCLUSIVE', place + path);
    return { verdict, steps: meter.steps };
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    const code = error.code === 'cost' ? 'PROOF_TOO_COSTLY' : 'PROOF_UNJUDGEABLE';
    return refused(code, place + error.path, error.message);
  }
}

/** The limit of scopes. Each condition parses the result, which costs more time than steps. */
const MAX_CONDITIONS = 16;
const MAX_KNOWN = 64;
const known = new Map<string, Judged>();

/**
 * Judges the same bytes once, because a refused proof costs its sender nothing and no block counts its steps.
 * Another costly proof needs another order.
 * @param key names all bytes by their hashes
 */
export function judgedOnce(key: string, make: () => Judged): Judged {
  const judged = known.get(key) ?? make();
  known.delete(key);
  known.set(key, judged);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  return judged;
}

function stepsOfBlock({ state, block }: CheckContext): number {
  const latest = state.get('proof-steps', 'latest');
  return latest?.height === block.height ? latest.steps : 0;
}
