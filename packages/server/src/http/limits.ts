export interface HttpLimits {
  connections: number;
  connectionsPerAddress: number;
  /** Milliseconds without any bytes. */
  silentTime: number;
  headTime: number;
  /** In milliseconds. */
  arrivalCheckInterval: number;
  requestTime: number;
  /** Milliseconds between requests. */
  idleTime: number;
  requestsAhead: number;
  /** Milliseconds to receive any answer. */
  answerTime: number;
  /** Bytes per second that a reader must receive. Large answers get more time. */
  answerRate: number;
  /** Unsent bytes of all connections together. Beyond that, the slowest are closed. */
  unsentBytes: number;
  /** In milliseconds. */
  answerCheckInterval: number;
  /** Queued simulations, in total and per address. */
  waitingSimulations: number;
  simulationsPerAddress: number;
  forwardedWrites: number;
  /** Milliseconds for one answer. */
  forwardTime: number;
  /** Milliseconds that a follower waits for the block before it answers. */
  readYourWrites: number;
  /** Characters of records. Larger reads go to a reader thread. */
  lightRead: number;
  waitingReads: number;
  /** Open streams, in total and per address. */
  streams: number;
  streamsPerAddress: number;
  /** Agents of this machine share one address. */
  streamsOfLoopback: number;
  /** In bytes. Beyond that the stream is closed, and its reader resumes by Last-Event-ID. */
  streamBacklog: number;
  catchUpPage: number;
  /** Pages per turn of the event loop, for all streams together. */
  catchUpPagesPerTurn: number;
}

export const HTTP_LIMITS: HttpLimits = {
  connections: Infinity,
  connectionsPerAddress: 256,
  silentTime: 10_000,
  headTime: 15_000,
  arrivalCheckInterval: 5_000,
  requestTime: 30_000,
  idleTime: 72_000,
  requestsAhead: 128,
  answerTime: 20_000,
  // Clients slower than a quarter of a megabit per second would hold memory that others need.
  answerRate: 32_768,
  unsentBytes: 268_435_456,
  answerCheckInterval: 1_000,
  waitingSimulations: 32,
  simulationsPerAddress: 8,
  forwardedWrites: 256,
  forwardTime: 30_000,
  readYourWrites: 2_000,
  lightRead: 160_000,
  waitingReads: 128,
  streams: 1_000,
  streamsPerAddress: 16,
  streamsOfLoopback: 256,
  streamBacklog: 1_048_576,
  catchUpPage: 100,
  catchUpPagesPerTurn: 2,
};
