import { OPERATOR_GROUP_PREFIX, sha256Hex, UNET_PER_NET } from '@netd/protocol';
import { awaitsVote, nextVote, type NetClient } from '@netd/sdk';
import { pause } from '@netd/sdk/internal';
import type { Content } from './content.ts';
import type { Member } from './member.ts';
import { judgeOrder, type SearchScope, type Verdict, type WorkOrder } from './verdict.ts';
import { VerificationQueue } from './verification-queue.ts';

const DESCRIPTION =
  'Checks the work of others, for the operator of this devnet: by the acceptance of the scope, if a program can.';
/** Unet that each verifier keeps besides its bond. */
const SPARE = 10 * UNET_PER_NET;
const APPLICATION_LIFETIME = 1_000;
const APPROVAL_TRIES = 40;
const MOST_VERDICTS = 100;
const APPROVAL_POLL_MILLISECONDS = 250;
const MOVED_ON = ['WORK_NOT_IN_VERIFICATION', 'NOT_COMMITTEE_MEMBER', 'VOTE_ALREADY_CAST'];

export class Verifiers {
  private readonly members: readonly Member[];
  private readonly content: Content;
  private readonly minimumFunding: number;
  private readonly queue: VerificationQueue;
  /** Verdicts by order, until their votes are revealed. A forgotten one is judged again. */
  private readonly verdicts = new Map<string, Verdict>();

  /** @param minimumFunding in unet; orders below it are judged last */
  constructor(members: readonly Member[], content: Content, minimumFunding: number) {
    this.members = members;
    this.content = content;
    this.minimumFunding = minimumFunding;
    const { signal, tell } = this.first.house;
    this.queue = new VerificationQueue({
      judge: (orderId, search) => this.vote(orderId, search),
      failed: (orderId, error) =>
        tell({ kind: 'say', text: `${orderId} could not be judged: ${(error as Error).message}` }),
      signal,
    });
  }

  private get first(): Member {
    const [first] = this.members;
    if (!first) throw new Error('the house has no verifiers');
    return first;
  }

  private get client(): NetClient {
    return this.first.house.client;
  }

  async takeUp(bond: number): Promise<void> {
    await Promise.all(this.members.map((member) => this.takeUpOne(member, bond)));
  }

  private async takeUpOne(member: Member, bond: number): Promise<void> {
    const agent = await member.join(DESCRIPTION);
    const votes = agent.authority.capabilities.find(({ action }) => action === 'voteWork');
    if (!votes) {
      await member.extend(agent, ['faucet']);
      if (await member.fund(agent.account.balance, bond, bond + SPARE)) {
        await this.takeRole(member, bond);
      } else {
        const text = `${member.actorId} lacks the money for its bond and cannot verify`;
        member.house.tell({ kind: 'say', text });
      }
    }
    await this.keepBeacon(member);
  }

  async keepBeacons(): Promise<void> {
    await Promise.all(this.members.map((member) => this.keepBeacon(member)));
  }

  private keepBeacon(member: Member): Promise<void> {
    return member.keepBeacon({
      description: DESCRIPTION,
      capabilities: ['verification'],
      protocols: ['netd-http/1'],
    });
  }

  private async takeRole(member: Member, bond: number): Promise<void> {
    const { house, actorId, actor } = member;
    const { client, signal } = house;
    const independenceGroup = actorId.startsWith(OPERATOR_GROUP_PREFIX)
      ? actorId
      : OPERATOR_GROUP_PREFIX + actorId;
    for (let i = 0; i < APPROVAL_TRIES && !signal.aborted; i++) {
      const mine = await applicationOf(client, actorId);
      if (mine?.status === 'APPROVED' && mine.invitation) {
        await client.claim(actor, mine.invitation.invitationId);
        return;
      }
      if (mine) {
        const { applicationId } = mine;
        house.tell({ kind: 'applied', applicationId, independenceGroup });
        await pause(APPROVAL_POLL_MILLISECONDS, signal);
      } else {
        const { height } = await client.network();
        await client.apply(actor, {
          applicationId: `${actorId}-${height}`,
          role: 'VERIFIER',
          capabilities: [{ action: 'voteWork' }],
          profile: { bond },
          expiresAtHeight: height + APPLICATION_LIFETIME,
        });
      }
    }
    house.tell({ kind: 'say', text: `${actorId} waits for the operator to approve it` });
  }

  async catchUp(): Promise<void> {
    for await (const { orders } of this.client.pages('/v1/work-orders', { status: 'VERIFYING' })) {
      for (const order of orders) this.enqueue(order);
    }
  }

  async drawn(orderId: string): Promise<void> {
    try {
      this.enqueue(await this.orderAt(orderId));
    } catch {
      // If the node does not answer, the queue retries.
      const drawn = { orderId, requesterId: orderId, isCheap: false };
      this.queue.add({ ...drawn, deadline: Number.POSITIVE_INFINITY });
    }
  }

  private enqueue(order: WorkOrder): void {
    if (this.toVote(order).length === 0) return;
    const { orderId, requesterId, funding, deadline } = order;
    this.queue.add({
      orderId,
      requesterId,
      isCheap: funding < this.minimumFunding,
      deadline: deadline ? Date.parse(deadline.time) : 0,
    });
  }

  isOurs(actorId: string): boolean {
    return this.members.some((member) => member.actorId === actorId);
  }

  private async vote(orderId: string, search: SearchScope): Promise<boolean> {
    const before = await this.orderAt(orderId);
    // One verdict serves all members: it is judged once, and all vote.
    const [first] = this.toVote(before);
    if (!first) return true;
    const known = this.verdicts.get(orderId);
    const verdict = known ?? (await judgeOrder(first.house, this.content, before, search));
    if (verdict === null) return false;
    this.verdicts.delete(orderId);
    for (;;) {
      const order = await this.orderAt(orderId);
      const [member] = this.toVote(order);
      if (!member) {
        if (isSealed(order)) this.remember(orderId, verdict);
        return true;
      }
      if (!(await this.cast(member, order, verdict))) return true;
    }
  }

  /** Orders that end before their votes are revealed would otherwise fill the memory. */
  private remember(orderId: string, verdict: Verdict): void {
    this.verdicts.set(orderId, verdict);
    const [oldest] = this.verdicts.keys();
    if (this.verdicts.size > MOST_VERDICTS && oldest !== undefined) this.verdicts.delete(oldest);
  }

  private async cast(member: Member, order: WorkOrder, verdict: Verdict): Promise<boolean> {
    const { vote, reasons } = verdict;
    const ballot = { vote, evidenceHash: sha256Hex(reasons) };
    const payload = await nextVote(order, member.actor, ballot);
    if (payload === null) return false;
    // Store reasons only with the open vote, because they would reveal a sealed one.
    // The vote counts even without them.
    if (payload.vote !== undefined) await member.storeIfPossible({ bytes: reasons });
    return member.actUnless(MOVED_ON, 'voteWork', { ...payload });
  }

  private async orderAt(orderId: string): Promise<WorkOrder> {
    return (await this.client.read('/v1/work-orders/{orderId}', { orderId })).order;
  }

  private toVote(order: WorkOrder): Member[] {
    return this.members.filter(({ actorId }) => awaitsVote(order, actorId));
  }
}

/** Returns true while committed votes are not revealed yet. */
const isSealed = ({ phase, verification }: WorkOrder): boolean =>
  phase === 'REVIEW' && verification?.commitments !== undefined;

async function applicationOf(client: NetClient, actorId: string) {
  for (const status of ['PENDING', 'APPROVED'] as const) {
    for await (const page of client.pages('/v1/operator-applications', { status })) {
      const mine = page.applications.find((application) => application.actorId === actorId);
      if (mine) return mine;
    }
  }
  return null;
}
