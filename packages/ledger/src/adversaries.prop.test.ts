/** A colluding coalition, griefers and a hoarder at the same time. The test bounds what each can gain. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { TOTAL_SUPPLY, UNET_PER_NET, type JsonObject } from '@netd/protocol';
import { FUNDING, workOrderOf } from '@netd/protocol/testing';
import { CLASS_NAMES } from './accounting-classes.ts';
import { MAX_UNPROVEN_ORDERS } from './actions/work/order.ts';
import { DEVNET_POLICY } from './genesis.ts';
import { standardChain } from './testing/refusals/case.ts';
import { scheduled } from './testing/rules.ts';
import { committeeOf, readyForWork, resultOf, seedMoney, VERIFIERS, vote } from './testing/work.ts';
import type { TestChain } from './testing/test-chain.ts';

const span = (heights: number, milliseconds: number) => ({ heights, milliseconds });
const WORK = {
  ...DEVNET_POLICY.work,
  acceptWithin: span(40, 4_000),
  deliverWithin: span(6, 600),
  verifyWithin: span(6, 600),
  disputeWindow: span(2, 200),
  resolveWithin: span(6, 600),
  settleWithin: span(2, 200),
  minimumBondedDelivery: span(1, 1),
  minimumSpans: { deliver: span(1, 1), verify: span(1, 1) },
};
const FAUCET = {
  enabled: true,
  perRequest: 50 * UNET_PER_NET,
  perAccount: 1_000 * UNET_PER_NET,
  perNewcomer: 100 * UNET_PER_NET,
  perVerifiedOrder: 50 * UNET_PER_NET,
  // Repeated draws share a tenth.
  perDay: 1_000 * UNET_PER_NET,
  keptForFirst: 900 * UNET_PER_NET,
};
/** More work than a name gets by chance. */
const PRICE = { price: 'work', workBits: 30 };
const GOVERNANCE = { ...DEVNET_POLICY.governance, timelock: span(2, 100) };
const GRIEFERS = ['grief-a', 'grief-b', 'grief-c'] as const;
/** Requester, worker and three of five verifiers. */
const COALITION = ['carol', 'dave', ...VERIFIERS.slice(0, 3)] as const;

const move = fc.record({
  kind: fc.constantFrom('offer', 'grief', 'grief', 'hoard', 'hoard', 'collude', 'settle', 'wait'),
  pick: fc.nat(63),
});
const play = fc.array(move, { minLength: 15, maxLength: 60, size: 'max' });

class Play {
  readonly chain: TestChain;
  readonly hoard: string[] = [];
  /** Honest orders of alice. */
  readonly honest: string[] = [];
  readonly staged: string[] = [];
  /** Start height by order and griefer. */
  private readonly heldSince = new Map<string, number>();
  private readonly drawers = new Set<string>();
  drawnAgain = 0;
  longestHeld = 0;
  mostHeld = 0;

  constructor() {
    this.chain = readyForWork(
      standardChain({ work: WORK, faucet: FAUCET, governance: GOVERNANCE }),
    );
    this.chain.join([...GRIEFERS, 'dave']);
    const actions = ['createWorkOrder', 'faucet', 'transfer'];
    this.chain.does('carol', 'extendAgentCapabilities', { agentId: 'carol', actions });
    this.chain.does('dave', 'extendAgentCapabilities', { agentId: 'dave', actions });
    seedMoney(this.chain, 'carol', 20 * FUNDING);
  }

  balance(actorId: string): number {
    return this.chain.record('account', actorId)?.balance ?? 0;
  }

  /** Without escrow and bonds. */
  wealth(): number {
    return [...COALITION, ...this.hoard].reduce((sum, actorId) => sum + this.balance(actorId), 0);
  }

  make({ kind, pick }: { kind: string; pick: number }): void {
    const { chain } = this;
    const number = this.honest.length + this.staged.length;
    const act = (actorId: string, action: string, payload: JsonObject): boolean =>
      chain.act(actorId, action, payload).ok;
    switch (kind) {
      case 'offer': {
        const ids = ['a', 'b', 'c', 'd', 'e'].map((part) => `honest-${number}-${part}`);
        const offers = ids.map((id) => chain.intent('alice', 'createWorkOrder', workOrderOf(id)));
        chain.block(offers).forEach(({ ok }, index) => {
          if (ok) this.honest.push(ids[index] ?? '');
        });
        break;
      }
      case 'grief': {
        const agentId = GRIEFERS[pick % GRIEFERS.length] ?? 'grief-a';
        // Accepts everything it can.
        const open = this.honest.filter((id) => chain.record('order', id)?.status === 'OPEN');
        chain.block(
          open.map((orderId) => chain.intent(agentId, 'acceptWork', { orderId, agentId })),
        );
        break;
      }
      case 'hoard': {
        const name =
          pick % 2 === 0 ? this.hoard[(pick >> 1) % Math.max(1, this.hoard.length)] : undefined;
        const agentId = name ?? `hoard-${this.hoard.length}`;
        if (name === undefined) {
          // Without the work, once names have a price.
          const isRegistered = chain.register(agentId).ok;
          assert.equal(isRegistered, !this.isPriced);
          if (!isRegistered) break;
          const actions = ['faucet', 'transfer'];
          chain.does(agentId, 'extendAgentCapabilities', { agentId, actions });
          this.hoard.push(agentId);
        }
        const again = this.drawers.has(agentId);
        const isPriced = this.isPriced;
        if (act(agentId, 'faucet', { amount: FAUCET.perRequest })) {
          assert.ok(!isPriced, 'a name that paid no price draws nothing');
          this.drawers.add(agentId);
          if (again) this.drawnAgain += FAUCET.perRequest;
        }
        break;
      }
      case 'collude':
        this.stage(`staged-${number}`);
        break;
      case 'settle':
        for (const orderId of this.staged) act('dave', 'settleVerifiedWork', { orderId });
        // Verified work raises the allowance.
        act('dave', 'faucet', { amount: FAUCET.perVerifiedOrder });
        break;
      default:
        chain.ledger.advance(1 + (pick % 9), 100 * (1 + (pick % 9)));
    }
    chain.block([]);
    this.look();
  }

  get isPriced(): boolean {
    return this.chain.record('policy', 'limits')?.names?.price === 'work';
  }

  get paidOrders(): number {
    return this.staged.filter((id) => this.chain.record('order', id)?.status === 'PAID').length;
  }

  private stage(orderId: string): void {
    const { chain } = this;
    if (!chain.act('carol', 'createWorkOrder', workOrderOf(orderId, { agentId: 'dave' })).ok)
      return;
    this.staged.push(orderId);
    chain.act('dave', 'acceptWork', { orderId, agentId: 'dave' });
    chain.act('dave', 'submitWorkResult', resultOf(orderId, { agentId: 'dave' }));
    chain.block([]);
    const friends = committeeOf(chain, orderId).filter((id) =>
      (COALITION as readonly string[]).includes(id),
    );
    for (const verifierId of friends) vote(chain, verifierId, 'ACCEPT', orderId);
  }

  /** Records the griefers' holdings. */
  private look(): void {
    const { height } = this.chain;
    const held = this.honest.filter((id) => this.chain.record('order', id)?.status === 'ACCEPTED');
    for (const griefer of GRIEFERS) {
      const own = held.filter((id) => this.chain.record('order', id)?.workerId === griefer);
      this.mostHeld = Math.max(this.mostHeld, own.length);
    }
    const now = new Set(held.map((id) => `${id} ${this.chain.record('order', id)?.workerId}`));
    for (const key of this.heldSince.keys()) if (!now.has(key)) this.heldSince.delete(key);
    for (const key of now) {
      const since = this.heldSince.get(key) ?? height;
      this.heldSince.set(key, since);
      this.longestHeld = Math.max(this.longestHeld, height - since);
    }
  }
}

test('adversaries together make no money, take no more than their share of the faucet, and block nothing for longer than is agreed', () => {
  const seen = { staged: 0, hoarded: 0, held: 0, drawn: 0, again: 0, crossed: 0 };
  const property = fc.property(play, fc.nat(40), (moves, crossing) => {
    const run = new Play();
    const { chain } = run;
    const before = run.wealth();
    for (const [index, each] of moves.entries()) {
      // The rules change in the middle of the play.
      if (index === crossing) scheduled(chain, { policy: { names: PRICE } });
      run.make(each);
    }
    seen.crossed += Number(chain.record('rules', 'active') !== undefined);

    // Supply is conserved.
    const supply = CLASS_NAMES.map((name) => chain.record('supply', name) ?? 0);
    assert.equal(
      supply.reduce((sum, amount) => sum + amount, 0),
      TOTAL_SUPPLY,
    );
    // Self-payment gains nothing beyond the faucet.
    const drawn = chain.record('cumulative-total', 'faucet') ?? 0;
    assert.ok(run.wealth() <= before + drawn, `${run.wealth()} of ${before} and ${drawn}`);

    // The faucet's share is bounded by names, paid orders and days.
    const names = run.hoard.length + 1;
    const most = names * FAUCET.perNewcomer + run.paidOrders * FAUCET.perVerifiedOrder;
    assert.ok(drawn <= Math.min(most, FAUCET.perDay), `${drawn} drawn by ${names} names`);
    const again = FAUCET.perDay - FAUCET.keptForFirst;
    assert.ok(run.drawnAgain <= again, `${run.drawnAgain} drawn again`);
    for (const name of run.hoard) assert.ok(run.balance(name) <= FAUCET.perNewcomer, name);

    // Blocking is bounded: two orders per free name, until delivery is due.
    assert.ok(run.mostHeld <= MAX_UNPROVEN_ORDERS, `${run.mostHeld} held`);
    const due = WORK.deliverWithin.heights + 9;
    assert.ok(run.longestHeld <= due, `held for ${run.longestHeld} heights`);

    // All orders end, and alice gets her money back.
    for (let i = 0; i < 12; i++) {
      chain.ledger.advance(WORK.acceptWithin.heights + 1, WORK.acceptWithin.milliseconds);
      chain.block([]);
    }
    for (const orderId of run.honest) {
      assert.equal(chain.record('order', orderId)?.phase, 'ENDED', orderId);
    }
    assert.equal(run.balance('net:escrow'), 0);

    seen.staged += run.paidOrders;
    seen.hoarded += run.hoard.length;
    seen.held = Math.max(seen.held, run.mostHeld);
    seen.again = Math.max(seen.again, run.drawnAgain);
    seen.drawn = Math.max(seen.drawn, drawn);
  });
  // A fixed seed for coverage, then random plays.
  fc.assert(property, { numRuns: 8, seed: 42, endOnFailure: true });
  // The plays must have tried everything.
  assert.ok(
    seen.staged > 0 && seen.hoarded > 10 && seen.held > 1 && seen.again > 0 && seen.crossed > 2,
    JSON.stringify(seen),
  );
  assert.ok(seen.drawn > FAUCET.perDay / 4, JSON.stringify(seen));
  fc.assert(property, { numRuns: 3, verbose: true });
});
