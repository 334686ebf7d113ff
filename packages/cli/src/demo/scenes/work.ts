/** Four orders: one on the open market, three for chosen agents, of which one may be disputed or cancelled. */
import { randomInt } from 'node:crypto';
import { judge, workScope } from '@netd/formats';
import {
  contestBondOf,
  canonicalize,
  hashValue,
  netText,
  UNET_PER_NET,
  utf8Bytes,
} from '@netd/protocol';
import { FAIR_WORK } from '@netd/sdk/internal';
import { CommandError } from '../../command-error.ts';
import type { Player } from '../cast.ts';
import { act, expectRefusal, list, names, until, type Stage } from '../stage.ts';
import { publishBeacon } from './arrivals.ts';
import { planOf } from './rounds.ts';

const FUNDING = 25 * UNET_PER_NET;
/** Frees the money soon if the demo is killed. */
const SPAN = { heights: 30, milliseconds: 600_000 };

export interface OrderView {
  orderId: string;
  status: 'OPEN' | 'ACCEPTED' | 'VERIFYING' | 'PAID' | 'REJECTED';
  phase: string;
  rulesVersion?: number;
  workerId: string | null;
  funding: number;
  scopeHash: string;
  result: { deliverableHash: string } | null;
  verification: { committee: { verifierId: string }[]; votes: { verifierId: string }[] } | null;
  disputableUntil: { height: number; time: string } | null;
}

export interface Job {
  orderId: string;
  worker: Player;
  deliverable: { summary: string; run: string };
}

export interface Round {
  verified: Job[];
  /** The job whose dispute was upheld; null if the round has none. */
  disputed: Job | null;
}

export async function work(stage: Stage, plan = planOf(0)): Promise<Round> {
  const { cast, runId, say } = stage;
  const { titles, ending, shift } = plan;
  const chosen = (at: number): Player => {
    const player = cast.workers[(at + shift) % cast.workers.length];
    if (!player) throw new Error('there are workers');
    return player;
  };
  const [direct, last] = [chosen(1), chosen(2)];
  const { requester, contributor } = cast;
  const kinds = ['market', 'direct', 'protocol', ending === 'disputed' ? 'dispute' : 'last'];
  const ids = kinds.map((kind) => `demo-${runId}-${kind}`);
  const [marketId = '', directId = '', protocolId = '', lastId = ''] = ids;
  await createOrder(stage, marketId, titles[0]);
  await createOrder(stage, directId, titles[1], direct);
  await createOrder(stage, protocolId, titles[3], contributor);
  await createOrder(stage, lastId, titles[2], last);
  say(
    `${requester.name} offers four jobs of ${netText(FUNDING)}; the money is in escrow from now on.`,
  );

  const winner = await race(stage, marketId);
  const job = (orderId: string, worker: Player): Job => jobOf(orderId, worker, runId);
  const lastJob = job(lastId, last);
  const assigned = [job(directId, direct), job(protocolId, contributor)];
  if (ending === 'cancelled') {
    await act(stage, requester, 'cancelWorkOrder', { orderId: lastId });
    say(`${requester.name} cancels the job for ${last.name} before anyone accepts it: refunded.`);
  } else assigned.push(lastJob);
  for (const { orderId, worker } of assigned) {
    await act(stage, worker, 'acceptWork', { orderId, agentId: worker.actorId });
  }
  const jobs = [job(marketId, winner), ...assigned];
  for (const one of jobs) await deliver(stage, one);
  // The block after the result draws the committee, so cause one.
  await publishBeacon(stage, winner);
  const voters = new Set<string>();
  for (const one of jobs) for (const voter of await verify(stage, one)) voters.add(voter);
  say(`Juries drawn by lot check the deliveries: ${list([...voters])} accept them.`);

  const disputed = ending === 'disputed' ? lastJob : null;
  if (disputed) await dispute(stage, disputed);
  for (const { orderId } of jobs) stage.show(`The order ${orderId}`, `/v1/work-orders/${orderId}`);
  stage.show('The events of the last job', `/v1/events?order=${lastId}`);
  return { verified: jobs.filter((one) => one !== disputed), disputed };
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
  const { rules } = await stage.client.network();
  const scope = workScope.make({
    schema: 'NET-WORK-SCOPE/1',
    title,
    instructions: 'Read what there is, and sum it up in one JSON object.',
    inputs: [],
    deliverable: { mediaType: 'application/json', maxBytes: 16_384 },
    acceptance: [
      { kind: 'json-schema', schema: { type: 'object', required: ['summary', 'run'] } },
      { kind: 'review', question: 'Is it about what was asked?' },
    ],
  });
  await act(stage, stage.cast.requester, 'createWorkOrder', {
    orderId,
    title,
    scopeHash: await stage.blobs.put(stage.cast.requester, scope.bytes),
    jobType: worker?.capabilities.at(-1) ?? 'research',
    requirements: worker?.capabilities ?? ['research', 'summaries'],
    funding: FUNDING,
    acceptWithin: SPAN,
    deliverWithin: SPAN,
    verifyWithin: SPAN,
    ...(worker ? { agentId: worker.actorId } : {}),
    // Verifiers outside the cast may stay silent, and sealed votes would wait for them.
    ...(rules.version >= FAIR_WORK ? { sealedVotes: false } : {}),
    // Permit all independence groups, so that the demo's verifiers can take part on any chain.
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

async function race(stage: Stage, orderId: string): Promise<Player> {
  const { workers: all } = stage.cast;
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
  if (!winner) throw new CommandError(`another agent has taken ${orderId}; run the demo again`);
  stage.say(
    `${names(workers)} race for the open one: ${winner.name} gets it, ${names(losers)} are told that it is taken.`,
  );
  return winner;
}

export async function store({ blobs }: Stage, { worker, deliverable }: Job): Promise<string> {
  return blobs.put(worker, utf8Bytes(canonicalize(deliverable)));
}

export async function deliver(stage: Stage, job: Job): Promise<void> {
  const { orderId, worker } = job;
  const deliverableHash = await store(stage, job);
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

export async function verify(stage: Stage, { orderId }: Job): Promise<string[]> {
  const order = await until(stage, `the committee of ${orderId}`, async () => {
    const read = await orderOf(stage, orderId);
    return read.phase === 'DRAWING' ? null : read;
  });
  const { verifiers } = stage.cast;
  const { committee = [] } = order.verification ?? {};
  for (const { verifierId } of committee) {
    const now = await orderOf(stage, orderId);
    if (now.phase !== 'REVIEW') break;
    const verifier = verifiers.find(({ actorId }) => actorId === verifierId);
    const voted = now.verification?.votes.some((vote) => vote.verifierId === verifierId);
    if (verifier && voted !== true) await voteOn(stage, verifier, now);
  }
  const decided = await until(stage, `the verdict on ${orderId}`, async () => {
    const read = await orderOf(stage, orderId);
    return read.phase === 'REVIEW' ? null : read;
  });
  if (decided.phase !== 'VERIFIED') throw new CommandError(`${orderId} is ${decided.phase}`);
  return (decided.verification?.votes ?? []).map(
    ({ verifierId }) => verifiers.find(({ actorId }) => actorId === verifierId)?.name ?? verifierId,
  );
}

async function voteOn(stage: Stage, verifier: Player, order: OrderView): Promise<void> {
  const { orderId, scopeHash } = order;
  const { actorId: verifierId } = verifier;
  const found = order.result?.deliverableHash ?? '';
  const scope = await stage.blobs.find(scopeHash);
  const deliverable = await stage.blobs.get(found);
  const { verdict, conditions } = scope
    ? await judge(workScope.read(scope, scopeHash), deliverable)
    : { verdict: 'open' as const, conditions: [] };
  // Accept results that a program cannot judge, because the cast knows that they are good.
  const vote = verdict === 'unmet' ? 'REJECT' : 'ACCEPT';
  const report = utf8Bytes(canonicalize({ orderId, verifierId, found, vote, conditions }));
  try {
    await act(stage, verifier, 'voteWork', {
      orderId,
      verifierId,
      vote,
      evidenceHash: await stage.blobs.put(verifier, report),
      reExecutionHash: found,
    });
  } catch (error) {
    expectRefusal(error, 'WORK_NOT_IN_VERIFICATION');
  }
}

async function dispute(stage: Stage, { orderId, worker }: Job): Promise<void> {
  const { requester } = stage.cast;
  const reasonHash = hashValue({ orderId, reason: 'half of the literature is missing' });
  const { rulesVersion = 1 } = await orderOf(stage, orderId);
  const bond = rulesVersion >= 2 ? { bond: contestBondOf(FUNDING) } : {};
  await act(stage, requester, 'openDispute', { orderId, reasonHash, ...bond });
  // All verifiers are in the first jury, so an operator decides the dispute.
  await until(stage, `the dispute about ${orderId}`, async () =>
    (await orderOf(stage, orderId)).phase === 'DISPUTED' ? true : null,
  );
  await act(stage, stage.operator, 'resolveDispute', {
    orderId,
    outcome: 'REJECTED',
    reasonHash: hashValue({ orderId, finding: 'the requester is right' }),
  });
  stage.say(
    `${requester.name} disputes what ${worker.name} delivered, with a bond; the operator upholds it: refunded.`,
  );
}
