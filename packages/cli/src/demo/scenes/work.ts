/** Four orders: one that everybody wants, two for chosen agents, and one that ends in a dispute. */
import { randomInt } from 'node:crypto';
import { hashValue, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { CommandError } from '../../command-error.ts';
import type { Player } from '../cast.ts';
import { act, expectRefusal, names, net, until, type Stage } from '../stage.ts';
import { publishBeacon } from './arrivals.ts';

const FUNDING = 25 * UNET_PER_NET;

/** The members of an order that scenes look at. */
export interface OrderView {
  orderId: string;
  status: 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
  phase: string;
  workerId: string | null;
  funding: number;
  result: { deliverableHash: string } | null;
  verification: { committee: { verifierId: string }[]; votes: { verifierId: string }[] } | null;
  /** ISO 8601, as the timestamp of a block. */
  disputableUntil: { height: number; time: string } | null;
}

/** An order that a worker of ours has taken, with what it will deliver. */
export interface Job {
  orderId: string;
  worker: Player;
  deliverable: { summary: string; run: string };
}

/** What a round of work leaves for the scenes after it. */
export interface Round {
  /** Verified; to be paid after the dispute window. */
  verified: Job[];
  disputed: Job;
}

export async function work(stage: Stage): Promise<Round> {
  const { cast, runId, say } = stage;
  const [, wanda, wolf] = cast.workers;
  if (!wanda || !wolf) throw new Error('there are three workers');
  const { requester, contributor } = cast;
  const ids = ['market', 'direct', 'protocol', 'dispute'].map((kind) => `demo-${runId}-${kind}`);
  const [marketId = '', directId = '', protocolId = '', disputeId = ''] = ids;
  await createOrder(stage, marketId, 'Summarise twelve papers on consensus');
  await createOrder(stage, directId, 'Compare three proof systems', wanda);
  await createOrder(stage, protocolId, 'Make the proofs of the state tree shorter', contributor);
  await createOrder(stage, disputeId, 'Review the literature on memory', wolf);
  say(`${requester.name} offers four jobs of ${net(FUNDING)}; the money is in escrow from now on.`);

  const winner = await race(stage, marketId);
  for (const [orderId, worker] of [
    [directId, wanda],
    [protocolId, contributor],
    [disputeId, wolf],
  ] as const) {
    await act(stage, worker, 'acceptWork', { orderId, agentId: worker.actorId });
  }
  const verified = [
    jobOf(marketId, winner, runId),
    jobOf(directId, wanda, runId),
    jobOf(protocolId, contributor, runId),
  ];
  const disputed = jobOf(disputeId, wolf, runId);
  const jobs = [...verified, disputed];
  for (const job of jobs) await deliver(stage, job);
  // Committees are drawn with the block after the result: by hashes that nobody knew while delivering.
  await publishBeacon(stage, winner);
  const voters = new Map<string, Player>();
  for (const job of jobs)
    for (const voter of await verify(stage, job)) voters.set(voter.name, voter);
  say(`Committees drawn by lot check the deliveries: ${names([...voters.values()])} accept them.`);

  await dispute(stage, disputed);
  for (const { orderId } of jobs) stage.show(`The order ${orderId}`, `/v1/work-orders/${orderId}`);
  stage.show('What happened to it', `/v1/events?order=${disputeId}`);
  return { verified, disputed };
}

export const jobOf = (orderId: string, worker: Player, run: string): Job => ({
  orderId,
  worker,
  deliverable: { summary: `What ${worker.name} found out about ${orderId}`, run },
});

async function createOrder(
  stage: Stage,
  orderId: string,
  title: string,
  worker?: Player,
): Promise<void> {
  await act(stage, stage.cast.requester, 'createWorkOrder', {
    orderId,
    title,
    // The scope itself stays between the parties.
    scopeHash: hashValue({ orderId, title, detail: 'as agreed' }),
    jobType: 'research',
    requirements: worker?.capabilities ?? ['research', 'summaries'],
    funding: FUNDING,
    ...(worker ? { agentId: worker.actorId } : {}),
    // All groups there are, so that ours take part however many others live on the chain.
    validationPolicy: {
      schema: 'NET-WORK-VALIDATION-POLICY/1',
      mode: 'INDEPENDENT_REVIEW',
      proofTypes: ['ARTIFACT_HASH', 'CONSENSUS_REVIEW'],
      requiredAccepts: 3,
      minIndependentGroups: 3,
      committeeSize: 15,
      sampleRateBps: 1_000,
    },
  });
}

/** All workers want the order; the chain takes the first and tells the others. */
async function race(stage: Stage, orderId: string): Promise<Player> {
  const { workers: all } = stage.cast;
  // Whose request leaves first is chance, not the order of the cast.
  const start = randomInt(all.length);
  const workers = [...all.slice(start), ...all.slice(0, start)];
  const attempts = await Promise.allSettled(
    workers.map((worker) => act(stage, worker, 'acceptWork', { orderId, agentId: worker.actorId })),
  );
  const winners: Player[] = [];
  const losers: Player[] = [];
  for (const [i, worker] of workers.entries()) {
    const attempt = attempts[i];
    if (attempt?.status === 'rejected') expectRefusal(attempt.reason, 'WORK_ORDER_NOT_OPEN');
    (attempt?.status === 'fulfilled' ? winners : losers).push(worker);
  }
  const [winner] = winners;
  if (!winner) throw new CommandError(`somebody else has taken ${orderId}; run the demo again`);
  stage.say(
    `${names(workers)} race for the open one: ${winner.name} gets it, ${names(losers)} are told that it is taken.`,
  );
  return winner;
}

export async function deliver(stage: Stage, { orderId, worker, deliverable }: Job): Promise<void> {
  const deliverableHash = hashValue(deliverable);
  await act(stage, worker, 'submitWorkResult', {
    orderId,
    agentId: worker.actorId,
    deliverableHash,
    evidence: {
      schema: 'NET-WORK-EVIDENCE/1',
      proofType: 'ARTIFACT_HASH',
      artifactHash: deliverableHash,
    },
  });
}

export async function orderOf({ client }: Stage, orderId: string): Promise<OrderView> {
  return (await client.get<{ order: OrderView }>(`/v1/work-orders/${orderId}`)).order;
}

/** The members of the committee compare what they were given with what the chain knows, and vote. Answers who did. */
export async function verify(stage: Stage, { orderId, deliverable }: Job): Promise<Player[]> {
  const order = await until(stage, `the committee of ${orderId}`, async () => {
    const read = await orderOf(stage, orderId);
    return read.phase === 'REVIEW' ? read : null;
  });
  const { verifiers } = stage.cast;
  const { committee = [], votes = [] } = order.verification ?? {};
  const drawn = committee
    .filter(({ verifierId }) => !votes.some((vote) => vote.verifierId === verifierId))
    .flatMap(({ verifierId }) => verifiers.find(({ actorId }) => actorId === verifierId) ?? []);
  const voters: Player[] = [];
  for (const verifier of drawn) {
    const found = hashValue(deliverable);
    const vote = found === order.result?.deliverableHash ? 'ACCEPT' : 'REJECT';
    const report: JsonObject = { orderId, verifierId: verifier.actorId, found, vote };
    await act(stage, verifier, 'voteWork', {
      orderId,
      verifierId: verifier.actorId,
      vote,
      evidenceHash: hashValue(report),
      reExecutionHash: found,
    });
    voters.push(verifier);
    const { phase } = await orderOf(stage, orderId);
    if (phase === 'VERIFIED') return voters;
  }
  throw new CommandError(
    `too few of our verifiers were drawn for ${orderId}: more than a committee of others lives on this chain`,
  );
}

async function dispute(stage: Stage, { orderId, worker }: Job): Promise<void> {
  const { requester } = stage.cast;
  const reasonHash = hashValue({ orderId, reason: 'half of the literature is missing' });
  await act(stage, requester, 'openDispute', { orderId, reasonHash });
  await act(stage, stage.operator, 'resolveDispute', {
    orderId,
    outcome: 'REJECTED',
    reasonHash: hashValue({ orderId, finding: 'the requester is right' }),
  });
  stage.say(
    `${requester.name} disputes what ${worker.name} delivered, with a bond; the operator upholds it: refunded.`,
  );
}
