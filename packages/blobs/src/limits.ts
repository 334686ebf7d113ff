/** What an operator may choose, by name. What holds everywhere (8 MiB a blob) is a limit of the protocol. */
export interface BlobLimits {
  /** Bytes stored in all. Beyond it uploads are refused. */
  storageBytes: number;
  /**
   * Bytes of the disk that uploads leave free: the chain may write to the same one. The uploads under way, which may come in
   * between look and write, have to fit into it several times.
   */
  freeBytes: number;
  /** Bytes an agent may upload in a day (UTC). */
  dailyBytes: number;
  /** Uploads that are under way at once, in all and of one agent. */
  uploads: number;
  uploadsOfAgent: number;
  /** Downloads that are under way at once, in all and of one address, unless bound to loopback without a proxy. */
  downloads: number;
  downloadsOfAddress: number;
  /** Connections. */
  connections: number;
  /** Milliseconds for the headers of a request; and for a whole request, its body included. */
  headersTimeout: number;
  requestTimeout: number;
  /** Milliseconds without a byte of an upload. */
  idleTimeout: number;
  /** Milliseconds without a byte on a connection, which then ends unanswered. */
  connectionTimeout: number;
  /** Milliseconds for a whole answer, so that no client reads for ever. */
  answerTimeout: number;
  /** Writes a minute of one address, unless bound to loopback without a proxy. */
  writesPerMinute: number;
}

export const DEFAULT_LIMITS: BlobLimits = {
  storageBytes: 10 * 1024 ** 3,
  // Eight times what a node needs to go on, and 32 of the largest uploads.
  freeBytes: 768 * 1024 ** 2,
  dailyBytes: 256 * 1024 ** 2,
  uploads: 32,
  uploadsOfAgent: 4,
  downloads: 256,
  downloadsOfAddress: 64,
  connections: 1_024,
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  idleTimeout: 15_000,
  connectionTimeout: 30_000,
  answerTimeout: 300_000,
  writesPerMinute: 600,
};

/** What even an empty blob counts for: a file takes a block of the disk, and an entry in the catalogue. */
export const MIN_CHARGE_BYTES = 4_096;
/** Seconds by which clocks may differ. */
export const CLOCK_TOLERANCE = 30;
