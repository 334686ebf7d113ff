/** Named moments at which a test can kill an agent's process. */
export const FAILPOINTS = {
  'act.signed': 'The envelope is on disk; nothing is sent.',
  'act.answered': 'The chain has executed it; the receipt is not on disk.',
  'act.recorded': 'The receipt is on disk; its caller does not know.',
  'work.chosen': 'The scope is on disk; the order is not accepted.',
  'step.done': 'The step has returned; its result is not on disk.',
  'step.kept': 'The result of the step is on disk; its handler does not know.',
  'work.handled': 'The handler has returned; its result is not on disk.',
  'work.kept': 'The result is on disk; no blob is stored.',
  'work.stored': 'The blobs are stored; nothing is submitted.',
  'work.settled': 'The order is paid; the job is still on disk.',
  'hire.stored': 'The scope is stored; nothing is in escrow.',
  'message.answered': 'The handler has returned; its answer is not on disk.',
  'message.sealed': 'The sealed answer is on disk; no blob is stored.',
  'message.sent': 'The answer is committed; the message is not acknowledged.',
  'memory.sealed': 'The chunks are stored; no checkpoint is committed.',
  'memory.committed': 'The checkpoint is committed; the working copy does not know.',
  'key.kept': 'The new X25519 key is on disk; the beacon names the one of before.',
  'handover.noted': 'The handover is on disk; nothing is submitted.',
  'handover.prepared': 'The chain knows of the handover; its target may not.',
  'handover.finalized': 'The memory runs elsewhere; the handover is still on disk.',
  'handover.restored': 'The handler of the target has taken the memory; nothing is attested.',
} as const;

export type Failpoint = keyof typeof FAILPOINTS;

export type ReachFailpoint = (name: Failpoint, action?: string) => void;
