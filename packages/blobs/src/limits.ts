export interface BlobLimits {
  storageBytes: number;
  /** Bytes of the disk to leave free. Uploads may write between check and write. */
  freeBytes: number;
  /** The part of `storageBytes` for names without paid or funded work, in all and per name. */
  unprovenBytes: number;
  unprovenBytesOfAgent: number;
  /** Milliseconds until such a blob is removed. */
  unprovenTime: number;
  /** Bytes per agent and UTC day. */
  dailyBytes: number;
  /** Concurrent uploads: in all, per address and per agent. */
  uploads: number;
  uploadsOfAddress: number;
  uploadsOfAgent: number;
  /** Concurrent downloads: in all and per address. */
  downloads: number;
  downloadsOfAddress: number;
  /** Minimum bytes per second. */
  transferRate: number;
  /** Milliseconds that a transfer may lag behind the rate: alone, and while another transfer waits. */
  transferGrace: number;
  pressedGrace: number;
  /** Connections in all and per address. Proxies and loopback are exempt from the latter. */
  connections: number;
  connectionsPerAddress: number;
  /** Milliseconds that a new connection may send nothing. */
  silentTime: number;
  /** Milliseconds for headers and for the whole request. */
  headersTimeout: number;
  requestTimeout: number;
  /** Milliseconds without a byte of an upload. */
  idleTimeout: number;
  /** Milliseconds without a byte on a connection, which is then closed without an answer. */
  connectionTimeout: number;
  /** Milliseconds for a whole answer. */
  answerTimeout: number;
  /** Writes per address. Unlimited on loopback without a proxy. */
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
  // The rate of a bad mobile network, at which the largest blob takes nine minutes.
  transferRate: 16_384,
  transferGrace: 15_000,
  pressedGrace: 5_000,
  connections: 1_024,
  connectionsPerAddress: 256,
  silentTime: 10_000,
  headersTimeout: 10_000,
  // Enough for the largest blob at the slowest rate.
  requestTimeout: 600_000,
  idleTimeout: 15_000,
  connectionTimeout: 30_000,
  answerTimeout: 600_000,
  writesPerMinute: 600,
};

/** Adds defaults. Names without work get a quarter of a changed store. */
export function limitsFrom(chosen: Partial<BlobLimits> = {}): BlobLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  const unprovenBytes = chosen.unprovenBytes ?? Math.floor(limits.storageBytes / 4);
  return { ...limits, unprovenBytes: Math.min(unprovenBytes, limits.storageBytes) };
}

export const MIN_CHARGE_BYTES = 4_096;
