/** Every limit of the HTTP interface that an operator could want otherwise. What the protocol itself limits is in its own table. */

export interface HttpLimits {
  /** Connections at once, where the files that the process may open allow as many. */
  connections: number;
  /** Connections of one address, unless it is a proxy's or the node is bound to loopback. */
  connectionsPerAddress: number;
  /** Milliseconds until a connection that has not carried a byte is closed. */
  silentTime: number;
  /** Milliseconds the head of a request may take to arrive. */
  headTime: number;
  /** Milliseconds between two looks at what takes too long to arrive. */
  arrivalCheckInterval: number;
  /** Milliseconds a request may take to arrive. */
  requestTime: number;
  /** Milliseconds a connection may wait for its next request. */
  idleTime: number;
  /** Requests that a connection may send before the one it sent first is answered. */
  requestsAhead: number;
  /** Milliseconds any answer may take to be taken. */
  answerTime: number;
  /** Bytes a second of an answer that its reader takes at least, beside that time: a large one has longer. */
  answerRate: number;
  /** Bytes of answers that have not been taken, on all connections together: beyond them the slowest are closed. */
  unsentBytes: number;
  /** Milliseconds between two looks at who takes too long. */
  answerCheckInterval: number;
  /** Simulations that wait for their turn, of all and of one address. */
  waitingSimulations: number;
  simulationsPerAddress: number;
  /** Writes that a follower has handed on and waits for. */
  forwardedWrites: number;
  /** Milliseconds for the answer to one. */
  forwardTime: number;
  /** Milliseconds until this follower has what it was told is committed; then the sender is told all the same. */
  readYourWrites: number;
  /** Characters of records that a read may take on the main thread; a larger one is left to a reader thread. */
  lightRead: number;
  /** Large reads that wait for their turn. */
  waitingReads: number;
  /** Event streams, of all and of one address. */
  streams: number;
  streamsPerAddress: number;
  /** Event streams of this machine, whose agents all have one address. */
  streamsOfLoopback: number;
  /** Bytes a reader of an event stream may be behind; it is let go then and resumes by Last-Event-ID. */
  streamBacklog: number;
  /** Events read at a time for a stream that catches up. */
  catchUpPage: number;
  /** Such pages read in one turn of the event loop, for all streams together. */
  catchUpPagesPerTurn: number;
}

export const HTTP_LIMITS: HttpLimits = {
  connections: Infinity,
  // An office behind one address has some dozens; a swarm of agents in one place has a proxy, or an operator who knows it.
  connectionsPerAddress: 256,
  silentTime: 10_000,
  headTime: 15_000,
  arrivalCheckInterval: 5_000,
  requestTime: 30_000,
  idleTime: 72_000,
  // Those who send ahead at all send ten, or a hundred.
  requestsAhead: 128,
  answerTime: 20_000,
  // A quarter of a megabit: a client that cannot take that holds memory that others need.
  answerRate: 32_768,
  // A few hundred of the largest pages.
  unsentBytes: 268_435_456,
  answerCheckInterval: 1_000,
  waitingSimulations: 32,
  simulationsPerAddress: 8,
  forwardedWrites: 256,
  forwardTime: 30_000,
  readYourWrites: 2_000,
  // Two or three milliseconds of work: a page of a hundred work orders.
  lightRead: 160_000,
  waitingReads: 128,
  streams: 1_000,
  streamsPerAddress: 16,
  streamsOfLoopback: 256,
  streamBacklog: 1_048_576,
  // A page is a millisecond of work or two: what else waits in this turn waits no longer than that.
  catchUpPage: 100,
  catchUpPagesPerTurn: 2,
};
