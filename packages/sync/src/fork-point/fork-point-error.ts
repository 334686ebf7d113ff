/** Why a laboratory cannot begin as a fork: a code, and a sentence for the operator. */
export class ForkPointError extends Error {
  override name = 'ForkPointError';
  readonly code: ForkPointCode;

  constructor(code: ForkPointCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** For scripts: stable, where the sentence is not. */
export type ForkPointCode =
  /** The address is that of the laboratory itself. */
  | 'FORK_OF_ITSELF'
  /** The network speaks another version of the interface, whose rules are others. */
  | 'FORK_OTHER_VERSION'
  /** The network is not the one whose genesis hash is trusted, or what answers is none. */
  | 'FORK_OTHER_CHAIN'
  /** The id asked for is that of the network. */
  | 'FORK_SAME_ID'
  /** The network has no block of the height yet. */
  | 'FORK_BEYOND_HEAD'
  /** The network has no checkpoint at or below the height any more. */
  | 'FORK_TOO_OLD'
  /** The network has no checkpoint that can be had now. */
  | 'FORK_NO_CHECKPOINT'
  /** The network's answer is not what its validators certified. */
  | 'FORK_ORIGIN_LIES'
  /** The disk has no room for it. */
  | 'FORK_NO_ROOM'
  /** The network does not answer: later it may be otherwise. */
  | 'NODE_UNREACHABLE';
