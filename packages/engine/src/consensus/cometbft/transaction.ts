import type { Submission } from '@netd/ledger';
import { encodeEnvelope, envelopeKind, envelopeViolations } from '@netd/protocol';
import { ApiError } from '../../chain/api-error.ts';
import { parseEnvelope } from '../../mempool/admission.ts';

/**
 * Parses a transaction as strictly as a submitted envelope. Depends on the bytes alone, so all validators
 * agree.
 * @throws ApiError
 */
export function readTransaction(bytes: Uint8Array): Submission {
  const { envelope, canonical } = parseEnvelope(bytes);
  const kind = envelopeKind(envelope);
  if (kind === null || kind === 'system' || kind === 'open') {
    throw new ApiError('ENVELOPE_INVALID', { message: 'is no envelope that a validator takes' });
  }
  const violations = envelopeViolations(kind, envelope);
  if (violations) throw new ApiError('ENVELOPE_INVALID', { errors: violations });
  if (canonical === null) {
    throw new ApiError('ENVELOPE_INVALID', { message: 'is not canonical JSON' });
  }
  return { kind, envelope, encoded: encodeEnvelope(envelope, canonical), verifiedWith: null };
}
