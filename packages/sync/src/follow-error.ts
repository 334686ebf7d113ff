/** Following cannot begin; a sentence for the operator. */
export class FollowError extends Error {
  override name = 'FollowError';
  /** NODE_UNREACHABLE where none of the origins answers: later it may be otherwise. USAGE where none is named. */
  readonly code: 'FOLLOW_REFUSED' | 'NODE_UNREACHABLE' | 'USAGE';

  constructor(message: string, code: FollowError['code'] = 'FOLLOW_REFUSED') {
    super(message);
    this.code = code;
  }
}
