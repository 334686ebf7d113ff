/**
 * Plays with strategies, under version 2 of the rules: requesters, workers, jurors and outsiders, alone or together.
 * An order names a condition that anyone can prove, so that good results and garbage differ.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  contestBondOf,
  sha256Hex,
  TOTAL_SUPPLY,
  verificationFeeOf,
  type JsonObject,
  SECOND_JURY,
} from '@netd/protocol';
import { FUNDING, hashOfDigit, runs, workOrderOf } from '@netd/protocol/testing';
import { CLASS_NAMES } from '../../accounting-classes.ts';
import { DEVNET_POLICY } from '../../genesis.ts';
import { acceptanceOf, proofOf } from '../../testing/proofs.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { withRules } from '../../testing/rules.ts';
import { madeOnce, OPERATOR, type TestChain } from '../../testing/test-chain.ts';
import {
  balance,
  orderIn,
  readyForWork,
  resultOf,
  revealAll,
  seedMoney,
  vote,
} from '../../testing/work.ts';
import type { WorkOrderRecord, WorkVote } from './records.ts';
import { votersOf } from './sealed-votes.ts';

const ROSTER = 'abcdefghijklm'.split('').map((letter) => `verifier-of-${letter}`);
const REQUESTERS = ['alice', 'rosa'] as const;
const WORKERS = ['bob', 'dave', 'wendy'] as const;
const OUTSIDER = 'mallory';
const FEE = verificationFeeOf(FUNDING, DEVNET_POLICY.work.verificationFeeBps);
const BOND = contestBondOf(FUNDING);
const SECOND_FEE = 2 * FEE;
const PURSE = 10 * FUNDING;
const CONDITIONS = [{ kind: 'json-schema', schema: { maximum: 5 } }];
const GOOD = '3';
const GARBAGE = '7';

/** Honest jurors judge by the condition. Others are bought, asked for what they cannot judge, or away. */
type Jury = 'honest' | 'false' | 'unjudgeable' | 'away';

interface Strategy {
  requester: number;
  worker: number;
  jury: 'none' | undefined;
  /** True if the order names its acceptanceHash; the wronged side then proves instead of contesting. */
  provable: boolean;
  bond: number;
  /** absent: takes the order only. */
  delivers: 'good' | 'garbage' | 'absent';
  /** honest: contests garbage only. */
  requesterContests: 'honest' | 'always';
  /** Workers of good results always use their rights. */
  garbageFights: boolean;
  workerIsPoor: boolean;
  first: Jury;
  second: Jury;
  operatorDecides: boolean;
  /** Who buys verifiers. */
  briber: 'requester' | 'worker' | null;
}

const strategy: fc.Arbitrary<Strategy> = fc.record({
  requester: fc.nat(REQUESTERS.length - 1),
  worker: fc.nat(WORKERS.length - 1),
  jury: fc.constantFrom(undefined, 'none' as const),
  provable: fc.boolean(),
  bond: fc.constantFrom(0, 0, 777, FUNDING),
  delivers: fc.constantFrom('good', 'good', 'garbage', 'garbage', 'absent'),
  requesterContests: fc.constantFrom('honest', 'always'),
  garbageFights: fc.boolean(),
  workerIsPoor: fc.boolean(),
  first: fc.constantFrom('honest', 'honest', 'false', 'unjudgeable', 'away'),
  second: fc.constantFrom('honest', 'honest', 'unjudgeable', 'away'),
  operatorDecides: fc.constantFrom(false, false, true),
  briber: fc.constantFrom(null, 'requester', 'worker'),
});

const play = fc.record({
  orders: fc.array(strategy, { minLength: 1, maxLength: 4 }),
  /** The verifiers that can be bought; the draw decides how many of them judge. */
  bought: fc.subarray(ROSTER, { minLength: 0, maxLength: ROSTER.length }),
});

const begin = madeOnce(() => {
  const chain = withRules(standardChain());
  chain.join(['rosa', 'dave', 'wendy', OUTSIDER]);
  readyForWork(chain, ROSTER);
  chain.does('rosa', 'extendAgentCapabilities', { agentId: 'rosa', actions: ['createWorkOrder'] });
  return chain;
});

const supplyOf = (chain: TestChain): number =>
  CLASS_NAMES.reduce((sum, name) => sum + (chain.record('supply', name) ?? 0), 0);

/** Plays one order with parties of its own, so that all gains come from it. */
class Play {
  readonly chain = begin().copy();
  private readonly wages = new Map<string, number>();
  readonly strategy: Strategy;
  readonly requester: string;
  readonly worker: string;
  private readonly bought: ReadonlySet<string>;

  constructor(one: Strategy, bought: readonly string[]) {
    this.strategy = one;
    this.bought = new Set(bought);
    this.requester = REQUESTERS[one.requester] ?? 'alice';
    this.worker = WORKERS[one.worker] ?? 'bob';
    const purses = {
      [this.requester]: PURSE,
      [this.worker]: one.workerIsPoor ? 2 * one.bond : PURSE,
    };
    for (const [id, purse] of Object.entries(purses)) {
      seedMoney(this.chain, id, purse - balance(this.chain, id));
    }
    for (const id of [this.requester, this.worker, ...ROSTER])
      this.wages.set(id, balance(this.chain, id));
  }

  gain(id: string): number {
    return balance(this.chain, id) - (this.wages.get(id) ?? 0);
  }

  get order(): WorkOrderRecord {
    return orderIn(this.chain);
  }

  private act(actorId: string, action: string, payload: JsonObject): boolean {
    const { ok } = this.chain.act(actorId, action, { orderId: 'o-1', ...payload });
    assert.equal(supplyOf(this.chain), TOTAL_SUPPLY);
    return ok;
  }

  run(): this {
    const { jury, bond } = this.strategy;
    const terms = {
      ...(jury ? { jury } : {}),
      ...(bond > 0 ? { workerBond: bond } : {}),
      ...(this.strategy.provable ? { acceptanceHash: acceptanceOf(CONDITIONS).hash } : {}),
    };
    this.chain.does(this.requester, 'createWorkOrder', workOrderOf('o-1', terms));
    for (let steps = 0; this.order.phase !== 'ENDED'; steps++) {
      assert.ok(steps < 40, `the order is ${this.order.phase} for ever`);
      const { phase, deadline } = this.order;
      this.meddle();
      if (this.step(phase)) continue;
      // No party moves: the deadline decides.
      if (this.order.phase !== phase) continue;
      const { ledger, height } = this.chain;
      const until = deadline ?? { height: height + 1, time: ledger.tip.time };
      ledger.advance(Math.max(1, until.height - height), Math.max(1, until.time - ledger.tip.time));
      this.chain.block([]);
    }
    return this;
  }

  /** An outsider tries whatever could end an order in its favor. */
  private meddle(): void {
    const { chain } = this;
    const tries = [
      ['openDispute', { reasonHash: hashOfDigit('f'), bond: BOND }],
      ['submitWorkResult', { agentId: OUTSIDER, deliverableHash: hashOfDigit('d') }],
      ['voteWork', { verifierId: OUTSIDER, vote: 'REJECT', evidenceHash: hashOfDigit('e') }],
      ['cancelWorkOrder', {}],
      ['resolveDispute', { outcome: 'PAID' }],
      ['proveVerdict', proofOf(CONDITIONS, GARBAGE)],
    ] as const;
    const outcomes = chain.block(
      tries.map(([action, payload]) =>
        chain.intent(OUTSIDER, action, { orderId: 'o-1', ...payload }),
      ),
    );
    assert.ok(outcomes.every(({ ok }) => !ok));
  }

  /** Good results are proven by their worker, and garbage by its requester, unless the outcome is right. */
  private prove(phase: WorkOrderRecord['phase']): boolean {
    const { provable, delivers } = this.strategy;
    const isGood = delivers === 'good';
    const right = isGood ? 'VERIFIED' : 'VOTED_DOWN';
    const isDecided = ['VERIFIED', 'VOTED_DOWN', 'UNJUDGED', 'CONTESTED', 'DISPUTED'].includes(
      phase,
    );
    if (!provable || !isDecided || phase === right) return false;
    const proof = proofOf(CONDITIONS, isGood ? GOOD : GARBAGE);
    return this.act(isGood ? this.worker : this.requester, 'proveVerdict', proof);
  }

  private step(phase: WorkOrderRecord['phase']): boolean {
    if (this.prove(phase)) return true;
    const { delivers, bond, operatorDecides, requesterContests, garbageFights } = this.strategy;
    const { requester, worker } = this;
    const isGood = delivers === 'good';
    const dispute = { reasonHash: hashOfDigit('f'), bond: BOND };
    switch (phase) {
      case 'OPEN':
        return this.act(worker, 'acceptWork', {
          agentId: worker,
          ...(bond > 0 ? { workerBond: bond } : {}),
        });
      case 'ACCEPTED':
        return (
          delivers !== 'absent' &&
          this.act(
            worker,
            'submitWorkResult',
            resultOf('o-1', {
              agentId: worker,
              deliverableHash: sha256Hex(isGood ? GOOD : GARBAGE),
            }),
          )
        );
      case 'REVIEW':
        return this.judge();
      case 'REVEAL':
        revealAll(this.chain);
        return true;
      case 'VERIFIED':
      case 'UNJUDGED':
        return (
          (requesterContests === 'always' || !isGood) && this.act(requester, 'openDispute', dispute)
        );
      case 'VOTED_DOWN':
      case 'CONTESTED':
        return (isGood || garbageFights) && this.act(worker, 'openDispute', dispute);
      case 'DISPUTED':
        return (
          operatorDecides &&
          this.act(OPERATOR, 'resolveDispute', { outcome: isGood ? 'PAID' : 'REJECTED' })
        );
      default:
        return false;
    }
  }

  /** Bought jurors stay below a majority: the others of them do not dare. */
  private judge(): boolean {
    const { verification } = this.order;
    if (!verification) return false;
    const { committee, round } = verification;
    const cast = votersOf(verification);
    const { first, second, briber, delivers } = this.strategy;
    const jury = round === SECOND_JURY ? second : first;
    const truth: WorkVote['vote'] = delivers === 'good' ? 'ACCEPT' : 'REJECT';
    const lie: WorkVote['vote'] = truth === 'ACCEPT' ? 'REJECT' : 'ACCEPT';
    const opinions = { honest: truth, false: lie, unjudgeable: 'UNJUDGEABLE', away: null } as const;
    const wanted: WorkVote['vote'] = briber === 'worker' ? 'ACCEPT' : 'REJECT';
    const most = Math.floor((committee.length - 1) / 2);
    let dared = cast.filter(({ verifierId }) => this.bought.has(verifierId)).length;
    let moved = false;
    for (const { verifierId } of committee) {
      if (this.order.phase !== 'REVIEW') break;
      if (cast.some((one) => one.verifierId === verifierId)) continue;
      const isBought = briber !== null && this.bought.has(verifierId) && dared < most;
      if (isBought) dared++;
      const says = isBought ? wanted : opinions[jury];
      if (says === null) continue;
      assert.ok(vote(this.chain, verifierId, says).ok);
      moved = true;
    }
    return moved;
  }

  /** The briber and its verifiers. */
  get coalitionGain(): number {
    const { briber } = this.strategy;
    const party = briber === 'worker' ? this.worker : this.requester;
    return [party, ...this.bought].reduce((sum, id) => sum + this.gain(id), 0);
  }
}

const seen = new Map<string, number>();
const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

function check(one: Play): void {
  const { chain, order, strategy: s } = one;
  const [paid, got] = [one.gain(one.requester), one.gain(one.worker)];
  const told = JSON.stringify({ s, status: order.status, reason: order.reason, paid, got });
  assert.equal(balance(chain, 'net:escrow'), 0, told);
  // Proofs slash the jurors that they contradict.
  const bonded = ROSTER.reduce((sum, id) => sum + (chain.record('verifier', id)?.bond ?? 0), 0);
  assert.equal(balance(chain, 'net:bonds'), bonded, told);
  note(`${s.delivers} ${order.reason ?? order.status}`);
  if (order.firstVerification !== undefined && order.verification?.round === SECOND_JURY)
    note('second jury');
  if (order.dispute?.answerBond !== undefined) note('answered by the poor');
  if (s.delivers === 'absent') {
    assert.deepEqual([paid, got], [2 * s.bond, 0 - 2 * s.bond], told);
    return;
  }
  if (s.provable) {
    // Neither the juries nor money for a bond matters.
    assert.equal(order.status, s.delivers === 'good' ? 'PAID' : 'REJECTED', told);
    if (s.first === 'false' && s.jury !== 'none') note(`${s.delivers} proven against its jury`);
    if (s.delivers === 'good') assert.ok(got >= FUNDING && paid <= -FUNDING, told);
    else assert.ok(got <= 0 && paid >= -FEE - BOND, told);
    return;
  }
  const isUndecided = s.second !== 'honest' && !s.operatorDecides;
  if (order.reason === 'SPLIT') {
    assert.ok(isUndecided && got <= 0 && paid <= -FUNDING, told);
    return;
  }
  // A bought first jury needs another one, or an operator, and the wronged side a bond to ask for it.
  const isBought = s.first === 'false' && s.jury !== 'none';
  const isHelpless = s.delivers === 'good' && s.workerIsPoor && s.bond < FUNDING;
  if (isBought && (isUndecided || isHelpless)) return note('lost');
  if (s.delivers === 'good') {
    assert.equal(order.status, 'PAID', told);
    // The fee of the second jury comes out of the bond of a jury's victim too.
    const cost = isBought ? SECOND_FEE : 0;
    assert.ok(got >= FUNDING - cost && paid <= -FUNDING, told);
    if (s.briber === 'requester') assert.ok(one.coalitionGain <= -FUNDING + cost, told);
    // A requester that contests good work pays for it.
    const { openedBy } = order.dispute ?? {};
    if (openedBy === one.requester) assert.ok(paid <= -FUNDING - BOND, told);
    return;
  }
  assert.equal(order.status, 'REJECTED', told);
  assert.ok(got <= 0 && paid >= -FEE - SECOND_FEE, told);
  // Bought verifiers earn their part of the fees, as honest ones do.
  if (s.briber === 'worker') assert.ok(one.coalitionGain <= FEE + SECOND_FEE, told);
}

test('provable work is paid and garbage is not, deviating gains nothing, and every order ends', () => {
  const property = fc.property(play, ({ orders, bought }) => {
    for (const one of orders) check(new Play(one, bought).run());
  });
  fc.assert(property, { numRuns: 60, seed: 43, endOnFailure: true });
  for (const what of [
    'good PAID',
    'garbage VERIFICATION_REJECTED',
    'garbage DISPUTE_UPHELD',
    'good SPLIT',
    'garbage SPLIT',
    'absent DELIVERY_TIMEOUT',
    'second jury',
    'answered by the poor',
    'good proven against its jury',
    'garbage proven against its jury',
  ])
    assert.ok((seen.get(what) ?? 0) > 0, `${what}: ${JSON.stringify([...seen])}`);
  fc.assert(property, { numRuns: runs(10), verbose: true });
});
