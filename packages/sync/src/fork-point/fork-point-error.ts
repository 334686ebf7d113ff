/** A laboratory cannot begin as a fork. The message is for the operator. */
export class ForkPointError extends Error {
  override name = 'ForkPointError';
  readonly code: ForkPointCode;

  constructor(code: ForkPointCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Stable codes for scripts. */
export type ForkPointCode =
  /** The address is that of the laboratory itself. */
  | 'FORK_OF_ITSELF'
  /** The network has another interface version, with other rules. */
  | 'FORK_OTHER_VERSION'
  /** The network's genesis hash is not the trusted one, or the server is no node. */
  | 'FORK_OTHER_CHAIN'
  /** The requested id is that of the network. */
  | 'FORK_SAME_ID'
  /** The network has not reached the height. */
  | 'FORK_BEYOND_HEAD'
  /** The network no longer has a checkpoint at or below the height. */
  | 'FORK_TOO_OLD'
  /** No checkpoint is available now. */
  | 'FORK_NO_CHECKPOINT'
  /** The network's answer contradicts its validators. */
  | 'FORK_ORIGIN_LIES'
  | 'FORK_NO_ROOM'
  /** The network does not answer, which may be temporary. */
  | 'NODE_UNREACHABLE';
