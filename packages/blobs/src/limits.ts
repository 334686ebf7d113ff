/** Operators may change these. Universal ones (8 MiB per blob) are limits of the protocol. */
export interface BlobLimits {
  /** Beyond it uploads are refused. */
  storageBytes: number;
  /**
   * Left free on the disk, since the chain may use the same one. Several times the concurrent uploads, which
   * may write between check and write.
   */
  freeBytes: number;
  /** Of `storageBytes`, for names without paid or funded work, in all and per name. */
  unprovenBytes: number;
  unprovenBytesOfAgent: number;
  /** Milliseconds until such a blob is removed if no live record names it. */
  unprovenTime: number;
  /** Uploaded by an agent (UTC). */
  dailyBytes: number;
  /** At once: in all, per address and per agent. */
  uploads: number;
  uploadsOfAddress: number;
  uploadsOfAgent: number;
  /** At once: in all and per address. */
  downloads: number;
  downloadsOfAddress: number;
  /** Slowest, bytes per second. */
  transferRate: number;
  /** Milliseconds of lag; and while another transfer waits for its slot. */
  transferGrace: number;
  pressedGrace: number;
  /** In all and per address, unless it is a proxy's or the service is bound to loopback. */
  connections: number;
  connectionsPerAddress: number;
  /** Milliseconds without any bytes. */
  silentTime: number;
  /** Milliseconds, for headers and for the whole request. */
  headersTimeout: number;
  requestTimeout: number;
  /** Milliseconds without a byte of an upload. */
  idleTimeout: number;
  /** Milliseconds without a byte; the connection ends unanswered. */
  connectionTimeout: number;
  /** Milliseconds for a whole answer. */
  answerTimeout: number;
  /** Of one address, unless bound to loopback without a proxy. */
  writesPerMinute: number;
}

export const DEFAULT_LIMITS: BlobLimits = {
  storageBytes: 10 * 1024 ** 3,
  unprovenBytes: (10 * 1024 ** 3) / 4,
  unprovenBytesOfAgent: 64 * 1024 ** 2,
  unprovenTime: 86_400_000,
  // Eight times what a node needs, and 32 of the largest uploads.
  freeBytes: 768 * 1024 ** 2,
  dailyBytes: 256 * 1024 ** 2,
  uploads: 32,
  uploadsOfAddress: 16,
  uploadsOfAgent: 4,
  downloads: 256,
  downloadsOfAddress: 64,
  // A bad mobile network; the largest blob takes nine minutes.
  transferRate: 16_384,
  transferGrace: 15_000,
  pressedGrace: 5_000,
  connections: 1_024,
  connectionsPerAddress: 256,
  silentTime: 10_000,
  headersTimeout: 10_000,
  // The largest blob at the slowest rate, and some reserve.
  requestTimeout: 600_000,
  idleTimeout: 15_000,
  connectionTimeout: 30_000,
  answerTimeout: 600_000,
  writesPerMinute: 600,
};

/** Defaults with an operator's changes. Names without work get a quarter of a changed store. */
export function limitsFrom(chosen: Partial<BlobLimits> = {}): BlobLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  const unprovenBytes = chosen.unprovenBytes ?? Math.floor(limits.storageBytes / 4);
  return { ...limits, unprovenBytes: Math.min(unprovenBytes, limits.storageBytes) };
}

/** Even an empty blob takes a disk block and an entry in the catalogue. */
export const MIN_CHARGE_BYTES = 4_096;
