/** A refusal on its way to a client: a code of the error table, the places, and perhaps the receipt of a twin. */
import { RuleError, type Submission } from '@netd/ledger';
import { ERROR_TABLE, type ErrorCode, type Receipt, type Violation } from '@netd/protocol';

export interface RefusalData {
  /** What is wrong here, beyond what the code says. */
  message?: string;
  errors?: Violation[];
  receipt?: Receipt;
  /** Seconds after which it is worth trying again. */
  retryAfter?: number;
}

export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly data: RefusalData;

  constructor(code: ErrorCode, data: RefusalData = {}) {
    super(code);
    this.code = code;
    this.data = data;
  }
}

export function refusalOf(error: RuleError, receipt?: Receipt | null): Refusal {
  const { path, message, errors } = error.data;
  const places =
    errors ??
    (path === undefined ? [] : [{ path, message: message ?? ERROR_TABLE[error.code].title }]);
  return new Refusal(error.code, {
    ...(message === undefined ? {} : { message }),
    ...(places.length > 0 ? { errors: places } : {}),
    ...(receipt ? { receipt } : {}),
  });
}

const TWIN_REFUSALS: Record<Submission['kind'], [code: ErrorCode, path: string]> = {
  intent: ['NONCE_REPLAYED', '/nonce'],
  registration: ['AGENT_EXISTS', '/actorId'],
  application: ['APPLICATION_EXISTS', '/applicationId'],
  claim: ['INVITATION_CLAIMED', '/invitationId'],
  open: ['NONCE_REPLAYED', '/nonce'],
};

/** What the sender of an envelope that is committed already is told, beside its receipt. */
export function twinRefusal(kind: Submission['kind']): RuleError {
  const message = 'this very envelope was committed already';
  const [code, path] = TWIN_REFUSALS[kind];
  return new RuleError(code, { path, message });
}
