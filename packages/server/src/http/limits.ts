/** The limits of the HTTP interface that operators may change. Limits of the protocol are in its own table. */

export interface HttpLimits {
  /** Connections at once, if the process may open as many files. */
  connections: number;
  /** Connections of one address, unless it is a proxy's or the node is bound to loopback. */
  connectionsPerAddress: number;
  /** Milliseconds until a connection without any bytes is closed. */
  silentTime: number;
  /** Milliseconds for the head of a request to arrive. */
  headTime: number;
  /** Milliseconds between two checks of arrivals. */
  arrivalCheckInterval: number;
  /** Milliseconds for a request to arrive. */
  requestTime: number;
  /** Milliseconds that a connection may idle between requests. */
  idleTime: number;
  /** Pipelined requests of a connection that may wait for an answer. */
  requestsAhead: number;
  /** Milliseconds in which a client must receive any answer. */
  answerTime: number;
  /** Slowest accepted reader, in bytes per second: large answers get more time. */
  answerRate: number;
  /** Unsent bytes of all connections together. Beyond it the slowest are closed. */
  unsentBytes: number;
  /** Milliseconds between two checks of slow readers. */
  answerCheckInterval: number;
  /** Queued simulations, in total and per address. */
  waitingSimulations: number;
  simulationsPerAddress: number;
  /** Forwarded writes in flight. */
  forwardedWrites: number;
  /** Milliseconds for the answer to one. */
  forwardTime: number;
  /** Milliseconds that a follower waits for the block of a forwarded write before it answers. */
  readYourWrites: number;
  /** Characters of records that a read may take on the main thread. Larger reads go to a reader thread. */
  lightRead: number;
  /** Queued large reads. */
  waitingReads: number;
  /** Event streams, in total and per address. */
  streams: number;
  streamsPerAddress: number;
  /** Event streams of this machine, whose agents share one address. */
  streamsOfLoopback: number;
  /** Backlog of an event stream in bytes. Beyond it the stream is closed; the reader resumes by Last-Event-ID. */
  streamBacklog: number;
  /** Events per page of a stream that catches up. */
  catchUpPage: number;
  /** Pages read per turn of the event loop, for all streams together. */
  catchUpPagesPerTurn: number;
}

export const HTTP_LIMITS: HttpLimits = {
  connections: Infinity,
  // An office behind one address has some dozens. A swarm of agents has a proxy, or an operator who knows it.
  connectionsPerAddress: 256,
  silentTime: 10_000,
  headTime: 15_000,
  arrivalCheckInterval: 5_000,
  requestTime: 30_000,
  idleTime: 72_000,
  // Clients that pipeline send ten requests, or a hundred.
  requestsAhead: 128,
  answerTime: 20_000,
  // A quarter of a megabit: slower clients hold memory that others need.
  answerRate: 32_768,
  // A few hundred of the largest pages.
  unsentBytes: 268_435_456,
  answerCheckInterval: 1_000,
  waitingSimulations: 32,
  simulationsPerAddress: 8,
  forwardedWrites: 256,
  forwardTime: 30_000,
  readYourWrites: 2_000,
  // Two or three milliseconds: a page of a hundred work orders.
  lightRead: 160_000,
  waitingReads: 128,
  streams: 1_000,
  streamsPerAddress: 16,
  streamsOfLoopback: 256,
  streamBacklog: 1_048_576,
  // A page takes a millisecond or two, which bounds the delay of other work.
  catchUpPage: 100,
  catchUpPagesPerTurn: 2,
};
