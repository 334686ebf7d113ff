export class FollowError extends Error {
  override name = 'FollowError';
  /** NODE_UNREACHABLE may be temporary. USAGE means that no origin is configured. */
  readonly code: 'FOLLOW_REFUSED' | 'NODE_UNREACHABLE' | 'USAGE';

  constructor(message: string, code: FollowError['code'] = 'FOLLOW_REFUSED') {
    super(message);
    this.code = code;
  }
}
