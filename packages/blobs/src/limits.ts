/** Limits that an operator may change. Universal ones (8 MiB per blob) are limits of the protocol. */
export interface BlobLimits {
  /** Bytes stored in all. Beyond it uploads are refused. */
  storageBytes: number;
  /**
   * Bytes of the disk that uploads leave free, since the chain may use the same disk. Must exceed concurrent
   * uploads several times, which may write between check and write.
   */
  freeBytes: number;
  /** Part of `storageBytes` for names without paid or funded work, in all and per name. */
  unprovenBytes: number;
  unprovenBytesOfAgent: number;
  /** Milliseconds until a blob of such a name is removed if no live record names it. */
  unprovenTime: number;
  /** Bytes that an agent may upload per day (UTC). */
  dailyBytes: number;
  /** Concurrent uploads, in all, per address and per agent. */
  uploads: number;
  uploadsOfAddress: number;
  uploadsOfAgent: number;
  /** Concurrent downloads, in all and per address. */
  downloads: number;
  downloadsOfAddress: number;
  /** Slowest accepted transfer in bytes per second. */
  transferRate: number;
  /** Milliseconds by which it may lag; and while another transfer waits for its slot. */
  transferGrace: number;
  pressedGrace: number;
  /** Connections, in all and per address, unless it is a proxy's or the service is bound to loopback. */
  connections: number;
  connectionsPerAddress: number;
  /** Milliseconds until a connection without any bytes is closed. */
  silentTime: number;
  /** Milliseconds for the headers of a request, and for the whole request. */
  headersTimeout: number;
  requestTimeout: number;
  /** Milliseconds without a byte of an upload. */
  idleTimeout: number;
  /** Milliseconds without a byte on a connection, which then ends unanswered. */
  connectionTimeout: number;
  /** Milliseconds for a whole answer. */
  answerTimeout: number;
  /** Writes per minute of one address, unless bound to loopback without a proxy. */
  writesPerMinute: number;
}

export const DEFAULT_LIMITS: BlobLimits = {
  storageBytes: 10 * 1024 ** 3,
  unprovenBytes: (10 * 1024 ** 3) / 4,
  unprovenBytesOfAgent: 64 * 1024 ** 2,
  unprovenTime: 86_400_000,
  // Eight times what a node needs to continue, and 32 of the largest uploads.
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
  // The time of the largest blob at the slowest rate, and some reserve.
  requestTimeout: 600_000,
  idleTimeout: 15_000,
  connectionTimeout: 30_000,
  answerTimeout: 600_000,
  writesPerMinute: 600,
};

/** Returns the default limits with an operator's changes. Names without work get a quarter of a changed store. */
export function limitsFrom(chosen: Partial<BlobLimits> = {}): BlobLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  const unprovenBytes = chosen.unprovenBytes ?? Math.floor(limits.storageBytes / 4);
  return { ...limits, unprovenBytes: Math.min(unprovenBytes, limits.storageBytes) };
}

/** Bytes charged even for an empty blob: a file takes a disk block, and an entry in the catalogue. */
export const MIN_CHARGE_BYTES = 4_096;
