/** What an operator may choose, by name. What holds everywhere (8 MiB a blob) is a limit of the protocol. */
export interface BlobLimits {
  /** Bytes stored in all. Beyond it uploads are refused. */
  storageBytes: number;
  /**
   * Bytes of the disk that uploads leave free: the chain may write to the same one. The uploads under way, which may come in
   * between look and write, have to fit into it several times.
   */
  freeBytes: number;
  /** Of these, bytes of names without paid or funded work, of all such names and of one. */
  unprovenBytes: number;
  unprovenBytesOfAgent: number;
  /** Milliseconds until a blob of such a name is removed if no live record names it. */
  unprovenTime: number;
  /** Bytes an agent may upload in a day (UTC). */
  dailyBytes: number;
  /** Uploads that are under way at once, in all, of one address and of one agent. */
  uploads: number;
  uploadsOfAddress: number;
  uploadsOfAgent: number;
  /** Downloads that are under way at once, in all and of one address. */
  downloads: number;
  downloadsOfAddress: number;
  /** Bytes a second that an upload brings, and a download takes, at least. */
  transferRate: number;
  /** Milliseconds by which it may be behind that; and while another waits for its slot. */
  transferGrace: number;
  pressedGrace: number;
  /** Connections, of all and of one address, unless it is a proxy's or the service is bound to loopback. */
  connections: number;
  connectionsPerAddress: number;
  /** Milliseconds until a connection that has not carried a byte is closed. */
  silentTime: number;
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
  unprovenBytes: (10 * 1024 ** 3) / 4,
  unprovenBytesOfAgent: 64 * 1024 ** 2,
  unprovenTime: 86_400_000,
  // Eight times what a node needs to go on, and 32 of the largest uploads.
  freeBytes: 768 * 1024 ** 2,
  dailyBytes: 256 * 1024 ** 2,
  uploads: 32,
  uploadsOfAddress: 16,
  uploadsOfAgent: 4,
  downloads: 256,
  downloadsOfAddress: 64,
  // A bad mobile network; the largest blob takes nine minutes of it.
  transferRate: 16_384,
  transferGrace: 15_000,
  pressedGrace: 5_000,
  connections: 1_024,
  connectionsPerAddress: 256,
  silentTime: 10_000,
  headersTimeout: 10_000,
  // What the largest blob takes at the least rate, and a bit.
  requestTimeout: 600_000,
  idleTimeout: 15_000,
  connectionTimeout: 30_000,
  answerTimeout: 600_000,
  writesPerMinute: 600,
};

/** The default limits with those that an operator chose: of less room, names without work still have a quarter. */
export function limitsFrom(chosen: Partial<BlobLimits> = {}): BlobLimits {
  const limits = { ...DEFAULT_LIMITS, ...chosen };
  const unprovenBytes = chosen.unprovenBytes ?? Math.floor(limits.storageBytes / 4);
  return { ...limits, unprovenBytes: Math.min(unprovenBytes, limits.storageBytes) };
}

/** Bytes that even an empty blob counts for: a file takes a block of the disk, and an entry in the catalogue. */
export const MIN_CHARGE_BYTES = 4_096;
