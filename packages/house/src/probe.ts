/**
 * Measures jurors: takes replay jobs of the house under a plain name, and delivers right and wrong results by
 * chance. Jurors that do not replay cannot tell them apart.
 */
import { randomInt } from 'node:crypto';
import { chainReplay, workScope, type ChainReplay } from '@netd/formats';
import { sha256Hex } from '@netd/protocol';
import { pause } from '@netd/sdk/internal';
import type { Content } from './content.ts';
import type { Member } from './member.ts';
import { digestOf } from './replay.ts';

const DESCRIPTION = 'Replays blocks.';
const EVERY_MILLISECONDS = 600_000;
const TAKEN = [
  'WORK_ORDER_NOT_OPEN',
  'WORK_UNPROVEN_LIMIT',
  'WORK_UNFINISHED_LIMIT',
  'WORK_JURY_UNAVAILABLE',
];

type Answer = 'ACCEPT' | 'REJECT';

export class Probe {
  private readonly member: Member;
  private readonly content: Content;
  private readonly requesterId: string;
  /** Answers of orders that have not ended, by order id. After a restart, these orders measure no juror. */
  private readonly answers = new Map<string, Answer>();

  constructor(member: Member, content: Content, requesterId: string) {
    this.member = member;
    this.content = content;
    this.requesterId = requesterId;
  }

  get actorId(): string {
    return this.member.actorId;
  }

  async run(every = EVERY_MILLISECONDS): Promise<void> {
    const { signal, tell } = this.member.house;
    await this.member.join(DESCRIPTION);
    while (!signal.aborted) {
      await this.takeOne().catch((error: unknown) => {
        const text = `${this.actorId} could not measure jurors: ${(error as Error).message}`;
        tell({ kind: 'say', text });
      });
      await pause(every, signal);
    }
  }

  ended(orderId: string): void {
    const answer = this.answers.get(orderId);
    if (answer === undefined) return;
    this.answers.delete(orderId);
    this.member.house.tell({ kind: 'answer', orderId, answer });
  }

  private async takeOne(): Promise<void> {
    const { client } = this.member.house;
    const { orders } = await client.read('/v1/work-orders', { status: 'OPEN', limit: 100 });
    const order = orders.find(
      ({ requesterId, jobType }) => requesterId === this.requesterId && jobType === 'chain-replay',
    );
    if (!order) return;
    const { orderId, scopeHash } = order;
    const bytes = await this.content.find(scopeHash, { origins: [], certain: true });
    if (bytes === 'absent' || bytes === 'unknown') return;
    const [condition] = workScope.read(bytes, scopeHash).acceptance;
    const right = condition?.kind === 'chain-replay' ? await digestOf(client, condition) : null;
    if (!right) return;
    if (!(await this.member.actUnless(TAKEN, 'acceptWork', { orderId, agentId: this.actorId }))) {
      return;
    }
    const answer: Answer = randomInt(2) === 0 ? 'ACCEPT' : 'REJECT';
    const { bytes: result } = chainReplay.make(answer === 'ACCEPT' ? right : spoiled(right));
    const deliverableHash = await this.member.store({ bytes: result });
    this.answers.set(orderId, answer);
    await this.member.act('submitWorkResult', { orderId, agentId: this.actorId, deliverableHash });
  }
}

/** Returns a digest that only a replay shows to be wrong. */
const spoiled = (right: ChainReplay): ChainReplay => ({
  ...right,
  blocksRoot: sha256Hex(right.blocksRoot),
});
