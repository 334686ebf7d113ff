export class ForkPointError extends Error {
  override name = 'ForkPointError';
  readonly code: ForkPointCode;

  constructor(code: ForkPointCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

export type ForkPointCode =
  | 'FORK_OF_ITSELF'
  | 'FORK_OTHER_VERSION'
  /** The origin's genesis hash is not the trusted one, or the server is no node. */
  | 'FORK_OTHER_CHAIN'
  | 'FORK_SAME_ID'
  | 'FORK_BEYOND_HEAD'
  /** The origin no longer has a checkpoint at or below the height. */
  | 'FORK_TOO_OLD'
  | 'FORK_NO_CHECKPOINT'
  | 'FORK_ORIGIN_LIES'
  | 'FORK_NO_ROOM'
  | 'NODE_UNREACHABLE';
