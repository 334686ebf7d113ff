export interface HttpLimits {
  connections: number;
  connectionsPerAddress: number;
  /** Milliseconds without any bytes. */
  silentTime: number;
  /** Milliseconds for the head of a request. */
  headTime: number;
  /** Milliseconds. */
  arrivalCheckInterval: number;
  /** Milliseconds for a whole request. */
  requestTime: number;
  /** Milliseconds between requests. */
  idleTime: number;
  /** Pipelined, per connection. */
  requestsAhead: number;
  /** Milliseconds to receive any answer. */
  answerTime: number;
  /** Slowest reader, bytes per second: large answers get more time. */
  answerRate: number;
  /** Of all connections together. Beyond it the slowest are closed. */
  unsentBytes: number;
  /** Milliseconds. */
  answerCheckInterval: number;
  /** In total and per address. */
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
  /** In total and per address. */
  streams: number;
  streamsPerAddress: number;
  /** This machine's agents share one address. */
  streamsOfLoopback: number;
  /** Bytes. Beyond it the stream is closed; the reader resumes by Last-Event-ID. */
  streamBacklog: number;
  catchUpPage: number;
  /** Per turn of the event loop, for all streams together. */
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
  // A quarter of a megabit: slower clients hold memory that others need.
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
