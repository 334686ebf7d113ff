/** Random plays compared with a small independent model. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { stateRoot, TOTAL_SUPPLY, type ErrorCode, type JsonObject } from '@netd/protocol';
import { FUNDING, hashOfDigit, runs, workOrderOf } from '@netd/protocol/testing';
import { CLASS_NAMES, classOf } from '../../accounting-classes.ts';
import type { AccountRecord } from '../accounts/records.ts';
import { verdictOf } from '../../testing/index.ts';
import type { MemoryLedger } from '../../testing/memory-ledger.ts';
import { WORK_REFUSALS } from '../../testing/refusals/work.ts';
import { madeOnce, OPERATOR, TestChain } from '../../testing/test-chain.ts';
import { BOND, committeeOf, FEE, readyForWork, resultOf, seedMoney } from '../../testing/work.ts';
import { TIMER_KINDS } from '../../timer-queue.ts';

const span = (heights: number, milliseconds: number) => ({ heights, milliseconds });
const POLICY = {
  verificationFeeBps: 200,
  minimumFunding: FUNDING,
  acceptWithin: span(9, 900),
  deliverWithin: span(8, 1_000),
  verifyWithin: span(7, 1_500),
  disputeWindow: span(4, 500),
  disputeBond: 70,
  minimumBondedDelivery: span(1, 1),
  minimumSpans: { deliver: span(1, 1), verify: span(1, 1) },
  resolveWithin: span(6, 400),
  settleWithin: span(5, 800),
};
const PEOPLE = ['alice', 'bob', 'carol', OPERATOR] as const;
const JURY = ['vera', 'vito', 'viki', 'vlad'] as const;
const ORDERS = ['o-0', 'o-1', 'o-2'] as const;
const COMMANDS = [
  'create',
  'accept',
  'submit',
  'release',
  'vote',
  'vote',
  'vote',
  'settle',
  'dispute',
  'resolve',
  'cancel',
  'wait',
] as const;

interface Command {
  what: number;
  /** 0 takes the move literally; otherwise a sensible one is chosen. */
  sense: number;
  who: number;
  which: number;
  how: number;
}

const move: fc.Arbitrary<Command> = fc.record({
  what: fc.nat(COMMANDS.length - 1),
  sense: fc.nat(3),
  who: fc.nat(11),
  which: fc.nat(2),
  how: fc.nat(15),
});
const play = fc.array(move, { minLength: 30, maxLength: 80, size: 'max' });
const RUNS = { numRuns: runs(40), verbose: true } as const;
/** A fixed seed, so that coverage does not depend on luck. */
const KNOWN_RUNS = { ...RUNS, numRuns: 40, seed: 42 } as const;

const readyChain: () => TestChain = madeOnce(() => {
  const chain = new TestChain({ policy: { work: POLICY } });
  chain.join(['alice', 'bob', 'carol'], ['faucet', 'transfer']);
  chain.does('carol', 'extendAgentCapabilities', {
    agentId: 'carol',
    actions: ['createWorkOrder', 'cancelWorkOrder'],
  });
  seedMoney(chain, 'carol', 1_000_000_000);
  return readyForWork(chain, JURY);
});

interface ModelOrder {
  requester: string;
  target: string | null;
  worker: string;
  bond: number;
  disputedBy: string | null;
  phase: 'OPEN' | 'ACCEPTED' | 'DRAWING' | 'REVIEW' | 'VERIFIED' | 'DISPUTED' | 'PAID' | 'REJECTED';
  height: number;
  time: number;
  windowHeight: number;
  windowTime: number;
  round: number;
  returned: boolean;
  gaveBack: Set<string>;
  votes: Map<string, string>;
  committee: string[];
}

const NO_HISTORY = {
  released: 0,
  timeouts: 0,
  disputesLost: 0,
  verifiedOrders: 0,
  funded: 0,
  paid: 0,
  cancelled: 0,
  disputed: 0,
  lost: 0,
};

/** A minimal model of the rules. */
class Model {
  readonly orders = new Map<string, ModelOrder>();
  readonly money = new Map<string, number>();
  /** By actor and kind. */
  readonly history = new Map<string, number>();
  private readonly proven = new Set<string>();
  private height = 0;
  private time = 0;

  pay(from: string, to: string, amount: number): void {
    this.money.set(from, (this.money.get(from) ?? 0) - amount);
    this.money.set(to, (this.money.get(to) ?? 0) + amount);
  }

  private note(who: string, what: keyof typeof NO_HISTORY): void {
    const key = `${who} ${what}`;
    this.history.set(key, (this.history.get(key) ?? 0) + 1);
  }

  private set(order: ModelOrder, phase: ModelOrder['phase'], of?: keyof typeof POLICY): void {
    order.phase = phase;
    const wait = of === undefined ? null : (POLICY[of] as ReturnType<typeof span>);
    order.height = wait ? this.height + wait.heights : Infinity;
    order.time = wait ? this.time + wait.milliseconds : Infinity;
  }

  private underWay(worker: string): number {
    const ended = (phase: string): boolean => phase === 'PAID' || phase === 'REJECTED';
    return [...this.orders.values()].filter((one) => one.worker === worker && !ended(one.phase))
      .length;
  }

  private share(order: ModelOrder): void {
    const each = Math.floor(FEE / order.votes.size);
    let odd = FEE % order.votes.size;
    for (const id of order.votes.keys()) this.pay('net:escrow', id, each + (odd-- > 0 ? 1 : 0));
  }

  private end(order: ModelOrder, phase: 'PAID' | 'REJECTED', byVote = false): void {
    const { requester, worker } = order;
    if (order.phase === 'DISPUTED') {
      this.pay('net:bonds', phase === 'PAID' ? worker : requester, POLICY.disputeBond);
    }
    this.pay('net:escrow', phase === 'PAID' ? worker : requester, FUNDING);
    if (phase === 'PAID' || byVote) this.share(order);
    else this.pay('net:escrow', requester, FEE);
    if (phase === 'PAID') {
      this.proven.add(worker);
      this.note(worker, 'verifiedOrders');
      this.note(requester, 'paid');
      if (order.disputedBy === requester) this.note(requester, 'lost');
    } else if (order.disputedBy !== null) this.note(worker, 'disputesLost');
    this.set(order, phase);
  }

  /** System transitions. The drawn members are read from the chain. */
  openBlock(height: number, time: number): void {
    this.height = height;
    this.time = time;
    for (const order of this.orders.values()) {
      if (order.phase === 'DRAWING') {
        order.round = 1;
        this.set(order, 'REVIEW', 'verifyWithin');
      } else if (height >= order.height && time >= order.time) this.timeout(order);
    }
  }

  private timeout(order: ModelOrder): void {
    if (order.phase === 'ACCEPTED') {
      this.pay('net:bonds', order.requester, order.bond);
      this.note(order.worker, 'timeouts');
    }
    if (order.phase === 'ACCEPTED' && order.target === null && !order.returned) {
      order.returned = true;
      order.worker = '';
      this.set(order, 'OPEN', 'acceptWithin');
    } else if (order.phase === 'REVIEW' && order.round === 1) {
      order.round = 2;
      this.set(order, 'REVIEW', 'verifyWithin');
    } else if (order.phase === 'VERIFIED' || order.phase === 'DISPUTED') this.end(order, 'PAID');
    else this.end(order, 'REJECTED');
  }

  /** Applies an action if the rules accept it. */
  act(what: string, id: string, who: string, how: number): ErrorCode | 'accepted' {
    const order = this.orders.get(id);
    if (what === 'create') return this.create(id, who, how);
    if (what === 'accept' && who === OPERATOR) return 'AGENT_UNKNOWN';
    if (!order) return 'WORK_ORDER_UNKNOWN';
    const inWindow = this.height < order.windowHeight || this.time < order.windowTime;
    switch (what) {
      case 'accept':
        if (order.phase !== 'OPEN') return 'WORK_ORDER_NOT_OPEN';
        if (order.requester === who) return 'REQUESTER_IS_WORKER';
        if (order.target !== null && order.target !== who) return 'WORK_TARGETED';
        if (order.gaveBack.has(who)) return 'WORK_RELEASED';
        if (this.underWay(who) >= 2 && !this.proven.has(who)) return 'WORK_UNPROVEN_LIMIT';
        order.worker = who;
        this.pay(who, 'net:bonds', order.bond);
        this.set(order, 'ACCEPTED', 'deliverWithin');
        return 'accepted';
      case 'submit':
        if (order.phase !== 'ACCEPTED') return 'WORK_ORDER_NOT_ACCEPTED';
        if (order.worker !== who) return 'NOT_WORK_AGENT';
        this.pay('net:bonds', who, order.bond);
        this.set(order, 'DRAWING');
        return 'accepted';
      case 'release':
        if (order.phase !== 'ACCEPTED') return 'WORK_ORDER_NOT_ACCEPTED';
        if (order.worker !== who) return 'NOT_WORK_AGENT';
        this.pay('net:bonds', who, order.bond);
        this.note(who, 'released');
        order.gaveBack.add(who);
        if (order.target !== null) this.end(order, 'REJECTED');
        else {
          order.worker = '';
          this.set(order, 'OPEN', 'acceptWithin');
        }
        return 'accepted';
      case 'vote':
        return this.vote(order, who, voteOf(how));
      case 'settle':
        if (order.phase !== 'VERIFIED') return 'WORK_NOT_VERIFIED';
        if (inWindow) return 'DISPUTE_WINDOW_OPEN';
        this.end(order, 'PAID');
        return 'accepted';
      case 'dispute':
        if (who !== order.requester && who !== order.worker) return 'NOT_WORK_PARTY';
        if (order.phase !== 'VERIFIED') return 'WORK_NOT_VERIFIED';
        if (!inWindow) return 'DISPUTE_WINDOW_CLOSED';
        this.pay(who, 'net:bonds', POLICY.disputeBond);
        order.disputedBy = who;
        if (who === order.requester) this.note(who, 'disputed');
        this.set(order, 'DISPUTED', 'resolveWithin');
        return 'accepted';
      case 'resolve':
        if (order.phase !== 'DISPUTED') return 'WORK_NOT_DISPUTED';
        if (order.requester === who) return 'OWN_DISPUTE';
        this.end(order, how % 2 === 0 ? 'PAID' : 'REJECTED');
        return 'accepted';
      default:
        if (order.requester !== who) return 'NOT_WORK_REQUESTER';
        if (order.phase !== 'OPEN') return 'WORK_ORDER_NOT_OPEN';
        this.note(who, 'cancelled');
        this.end(order, 'REJECTED');
        return 'accepted';
    }
  }

  private create(id: string, who: string, how: number): ErrorCode | 'accepted' {
    if (this.orders.has(id)) return 'WORK_ORDER_EXISTS';
    const target = targetOf(how);
    if (target === who) return 'REQUESTER_IS_WORKER';
    const order: ModelOrder = {
      requester: who,
      target,
      worker: '',
      bond: bondOf(how),
      disputedBy: null,
      phase: 'OPEN',
      height: 0,
      time: 0,
      windowHeight: 0,
      windowTime: 0,
      round: 0,
      returned: false,
      gaveBack: new Set(),
      votes: new Map(),
      committee: [],
    };
    this.orders.set(id, order);
    this.pay(who, 'net:escrow', FUNDING + FEE);
    this.note(who, 'funded');
    this.set(order, 'OPEN', 'acceptWithin');
    return 'accepted';
  }

  private vote(order: ModelOrder, who: string, vote: string): ErrorCode | 'accepted' {
    if (order.phase !== 'REVIEW') return 'WORK_NOT_IN_VERIFICATION';
    if (!order.committee.includes(who)) return 'NOT_COMMITTEE_MEMBER';
    if (order.votes.has(who)) return 'VOTE_ALREADY_CAST';
    order.votes.set(who, vote);
    const all = [...order.votes.values()];
    const said = (what: string): number => all.filter((one) => one === what).length;
    if (said('ACCEPT') === 2) {
      order.windowHeight = this.height + POLICY.disputeWindow.heights;
      order.windowTime = this.time + POLICY.disputeWindow.milliseconds;
      this.set(order, 'VERIFIED', 'settleWithin');
      order.height += POLICY.disputeWindow.heights;
      order.time += POLICY.disputeWindow.milliseconds;
    } else if (said('REJECT') === 2 || said('UNJUDGEABLE') === 2 || all.length === 3) {
      this.end(order, 'REJECTED', true);
    }
    return 'accepted';
  }
}

const voteOf = (how: number): string =>
  how % 5 === 0 ? 'REJECT' : how % 5 === 1 ? 'UNJUDGEABLE' : 'ACCEPT';

/** Every third order has a bond. */
const bondOf = (how: number): number => (how % 3 === 1 ? 50 : 0);

const targetOf = (how: number): string | null =>
  how % 4 === 0 ? (['alice', 'bob', 'carol'][(how >> 2) % 3] ?? null) : null;

function whatNext(phase: ModelOrder['phase'] | null, { what, sense, how }: Command): string {
  const word = COMMANDS[what] ?? 'wait';
  if (sense === 0) return word;
  switch (phase) {
    case null:
      return 'create';
    case 'OPEN':
      return how % 6 === 0 ? 'cancel' : 'accept';
    case 'ACCEPTED':
      return how % 6 === 1 ? 'release' : 'submit';
    case 'REVIEW':
      return 'vote';
    case 'VERIFIED':
      return ['settle', 'dispute', 'wait'][how % 3] ?? word;
    case 'DISPUTED':
      return 'resolve';
    default:
      return word;
  }
}

/** Mostly a sensible actor. */
function actorOf(model: Model, what: string, id: string, { who, how }: Command): string {
  const order = model.orders.get(id);
  const anybody = PEOPLE[who % PEOPLE.length] ?? OPERATOR;
  if (what === 'vote') {
    const asked = (order?.committee ?? []).filter((name) => !order?.votes.has(name));
    const jury = how % 4 === 0 || asked.length === 0 ? JURY : asked;
    return jury[who % jury.length] ?? 'vera';
  }
  if (what === 'dispute' && order?.worker && how % 5 !== 0) {
    return who % 2 === 0 ? order.requester : order.worker;
  }
  if (what === 'resolve') return OPERATOR;
  if (what === 'accept' && order?.target && how % 5 !== 0) return order.target;
  if ((what === 'submit' || what === 'release') && order?.worker && how % 5 !== 0)
    return order.worker;
  if (what === 'cancel' && order && how % 5 !== 0) return order.requester;
  return anybody;
}

const ACTION_OF: Record<string, string> = {
  create: 'createWorkOrder',
  accept: 'acceptWork',
  submit: 'submitWorkResult',
  release: 'releaseWork',
  vote: 'voteWork',
  settle: 'settleVerifiedWork',
  dispute: 'openDispute',
  resolve: 'resolveDispute',
  cancel: 'cancelWorkOrder',
};

function payloadOf(
  what: string,
  { orderId, who, how, bond }: { orderId: string; who: string; how: number; bond: number },
): JsonObject {
  const target = targetOf(how);
  switch (what) {
    case 'create':
      return workOrderOf(orderId, {
        ...(target === null ? {} : { agentId: target }),
        ...(bondOf(how) === 0 ? {} : { workerBond: bondOf(how) }),
      });
    case 'accept':
      return { orderId, agentId: who, ...(bond === 0 ? {} : { workerBond: bond }) };
    case 'submit':
      return resultOf(orderId, { agentId: who });
    case 'vote':
      return {
        orderId,
        verifierId: who,
        vote: voteOf(how),
        evidenceHash: hashOfDigit('e'),
      };
    case 'dispute':
      return { orderId, reasonHash: hashOfDigit('f') };
    case 'resolve':
      return { orderId, outcome: how % 2 === 0 ? 'PAID' : 'REJECTED' };
    default:
      return { orderId };
  }
}

const met = new Map<string, number>();

/** Plays on both, and compares after every block. */
function playAll(chain: TestChain, commands: readonly Command[]): Model {
  const model = new Model();
  const start = purses(chain.ledger);
  const followDrawing = (): void => {
    for (const [id, order] of model.orders) {
      if (order.phase === 'REVIEW') order.committee = committeeOf(chain, id);
    }
  };
  for (const one of commands) {
    const id = ORDERS[one.which] ?? 'o-0';
    const what = whatNext(model.orders.get(id)?.phase ?? null, one);
    if (what === 'wait') chain.ledger.advance(one.how, one.who * one.how * 12);
    const context = chain.ledger.nextContext(100);
    model.openBlock(context.height, context.time);
    if (what === 'wait') {
      chain.ledger.execute([], context);
      followDrawing();
    } else {
      const who = actorOf(model, what, id, one);
      const submission = chain.intent(
        who,
        ACTION_OF[what] ?? '',
        payloadOf(what, { orderId: id, who, how: one.how, bond: model.orders.get(id)?.bond ?? 0 }),
      );
      // A committee drawn in this block is known only from the block.
      const peek = chain.ledger.open(context);
      for (const [orderId, order] of model.orders) {
        if (order.phase !== 'REVIEW') continue;
        const text = peek.pendingChanges().get(`order/${orderId}`);
        if (text === null || text === undefined) continue;
        const record = JSON.parse(text) as {
          verification: { committee: { verifierId: string }[] };
        };
        order.committee = record.verification.committee.map(({ verifierId }) => verifierId);
      }
      const expected = model.act(what, id, who, one.how);
      const [outcome] = chain.ledger.execute([submission], context).outcomes;
      assert.ok(outcome);
      assert.equal(verdictOf(outcome), expected, `${what} ${id} by ${who}`);
      const key = `${what} ${expected}`;
      met.set(key, (met.get(key) ?? 0) + 1);
      followDrawing();
    }
    compare(chain, model, start);
  }
  return model;
}

function purses(ledger: MemoryLedger): Map<string, number> {
  const found = new Map<string, number>();
  for (const [key, text] of ledger.pairs()) {
    if (!key.startsWith('account/')) continue;
    found.set(key.slice('account/'.length), (JSON.parse(text) as AccountRecord).balance);
  }
  return found;
}

function compare({ ledger }: TestChain, model: Model, start: ReadonlyMap<string, number>): void {
  const byClass = new Map(CLASS_NAMES.map((name) => [name, 0]));
  for (const [id, amount] of purses(ledger)) {
    assert.equal(amount, (start.get(id) ?? 0) + (model.money.get(id) ?? 0), id);
    byClass.set(classOf(id), (byClass.get(classOf(id)) ?? 0) + amount);
  }
  for (const [name, sum] of byClass) assert.equal(ledger.record('supply', name), sum, name);
  assert.equal(
    [...byClass.values()].reduce((sum, part) => sum + part, 0),
    TOTAL_SUPPLY,
  );

  const market = { orders: 0, funding: 0 };
  const under = { requester: new Map<string, number>(), worker: new Map<string, number>() };
  const statuses = new Map<string, number>();
  for (const [id, expected] of model.orders) {
    const order = ledger.record('order', id);
    assert.ok(order);
    const { phase } = expected;
    const ended = phase === 'PAID' || phase === 'REJECTED';
    assert.equal(order.phase === 'ENDED' ? order.status : order.phase, phase, id);
    assert.equal(ledger.record('work-receipt', id) !== undefined, phase === 'PAID');
    // An open order has exactly one timer.
    const timers = TIMER_KINDS.flatMap((kind) => ledger.record('timer', `${kind}/${id}`) ?? []);
    assert.equal(timers.length, ended ? 0 : 1, id);
    assert.deepEqual(timers[0]?.deadline ?? null, order.deadline, id);
    if (order.deadline && timers[0]?.awaits === 'HEIGHT') {
      assert.ok(order.deadline.time <= ledger.tip.time, id);
    }
    statuses.set(order.status, (statuses.get(order.status) ?? 0) + 1);
    if (order.status === 'OPEN' && order.agentId === null) {
      market.orders++;
      market.funding += order.funding;
    }
    if (ended) continue;
    const { requester, worker } = expected;
    under.requester.set(requester, (under.requester.get(requester) ?? 0) + 1);
    if (worker !== '') under.worker.set(worker, (under.worker.get(worker) ?? 0) + 1);
  }
  for (const name of ['open', 'accepted', 'verifying', 'paid', 'rejected'] as const) {
    const counted = ledger.record('counter', `work-orders-${name}`) ?? 0;
    assert.equal(counted, statuses.get(name.toUpperCase()) ?? 0, name);
  }
  assert.equal(ledger.record('counter', 'open-market-orders') ?? 0, market.orders);
  assert.equal(ledger.record('counter', 'open-market-funding') ?? 0, market.funding);
  for (const who of PEOPLE) {
    const stats = ledger.record('work-stats', who);
    assert.equal(stats?.openOrders ?? 0, under.requester.get(who) ?? 0, who);
    assert.equal(stats?.unfinishedOrders ?? 0, under.worker.get(who) ?? 0, who);
    const {
      released = 0,
      timeouts = 0,
      disputesLost = 0,
      verifiedOrders = 0,
      requested,
    } = stats ?? {};
    assert.deepEqual(
      { ...NO_HISTORY, released, timeouts, disputesLost, verifiedOrders, ...requested },
      Object.fromEntries(
        Object.keys(NO_HISTORY).map((name) => [name, model.history.get(`${who} ${name}`) ?? 0]),
      ),
      who,
    );
  }
}

const NOTHING: Command = { what: COMMANDS.indexOf('wait'), sense: 0, who: 11, which: 0, how: 15 };

test('the ledger agrees with the model, and every order ends without further actions', () => {
  const property = fc.property(play, (commands) => {
    // Enough silence to end every order.
    const silence = Array.from({ length: 12 }, () => NOTHING);
    const chain = readyChain();
    const model = playAll(chain, [...commands, ...silence]);
    for (const [id, { phase }] of model.orders) {
      assert.ok(phase === 'PAID' || phase === 'REJECTED', `${id} is ${phase}`);
    }
    assert.equal(chain.record('account', 'net:escrow')?.balance ?? 0, 0);
    assert.equal(chain.record('account', 'net:bonds')?.balance, JURY.length * BOND);
  });
  fc.assert(property, KNOWN_RUNS);
  fc.assert(property, RUNS);
});

test('whatever subset of the parties is silent, every order ends and the supply holds', () => {
  const party = fc.record({
    silent: fc.subarray(['bob', 'carol', OPERATOR, 'settler', ...JURY]),
    target: fc.boolean(),
    bonded: fc.boolean(),
    rejects: fc.subarray([...JURY]),
    disputes: fc.boolean(),
  });
  fc.assert(
    fc.property(party, ({ silent, target, bonded, rejects, disputes }) => {
      const chain = readyChain();
      const acts = (who: string, action: string, payload: JsonObject, name = who): void => {
        if (!silent.includes(name)) chain.act(who, action, payload);
      };
      const bond = bonded ? { workerBond: 50 } : {};
      const order = workOrderOf('o-1', { ...bond, ...(target ? { agentId: 'bob' } : {}) });
      chain.does('alice', 'createWorkOrder', order);
      for (let round = 0; round < 12; round++) {
        for (const agentId of ['bob', 'carol']) {
          acts(agentId, 'acceptWork', { orderId: 'o-1', agentId, ...bond });
          acts(agentId, 'submitWorkResult', resultOf('o-1', { agentId }));
        }
        for (const verifierId of JURY) {
          const vote = rejects.includes(verifierId) ? 'REJECT' : 'ACCEPT';
          const payload = { orderId: 'o-1', verifierId, vote, evidenceHash: hashOfDigit('e') };
          acts(verifierId, 'voteWork', payload);
        }
        if (disputes) {
          acts('alice', 'openDispute', { orderId: 'o-1', reasonHash: hashOfDigit('f') });
          acts(OPERATOR, 'resolveDispute', { orderId: 'o-1', outcome: 'REJECTED' });
        }
        acts('carol', 'settleVerifiedWork', { orderId: 'o-1' }, 'settler');
        chain.ledger.advance(20, 2_000);
        chain.block([]);
      }
      const ended = chain.record('order', 'o-1');
      assert.equal(ended?.phase, 'ENDED');
      assert.equal(chain.record('account', 'net:escrow')?.balance, 0);
      assert.equal(chain.record('account', 'net:bonds')?.balance, JURY.length * BOND);
      const total = CLASS_NAMES.reduce((sum, name) => sum + (chain.record('supply', name) ?? 0), 0);
      assert.equal(total, TOTAL_SUPPLY);
    }),
    RUNS,
  );
});

test('a replay of the blocks gives the same roots and the same system transitions', () => {
  fc.assert(
    fc.property(play, (commands) => {
      const chain = readyChain();
      const from = chain.ledger.blocks.length;
      playAll(chain, [...commands, NOTHING, NOTHING]);
      const replay = readyChain().ledger;
      for (const recorded of chain.ledger.blocks.slice(from)) {
        replay.advance(recorded.context.height - replay.tip.height - 1, 0);
        const submissions = recorded.submissions.map((it) => ({ ...it, verifiedWith: null }));
        replay.execute(submissions, recorded.context);
        const { transitionHashes, blockHash, eventsRoot } = replay.blocks.at(-1) ?? recorded;
        assert.deepEqual(transitionHashes, recorded.transitionHashes);
        assert.deepEqual([blockHash, eventsRoot], [recorded.blockHash, recorded.eventsRoot]);
      }
      assert.equal(stateRoot(replay.pairs()), chain.ledger.tip.stateRoot);
    }),
    { ...RUNS, numRuns: runs(15) },
  );
});

test('the plays met every action, accepted and refused', () => {
  const modelled = new Set([...Object.values(ACTION_OF), 'submitVerifierEvidence', 'proveVerdict']);
  const subjects = new Set(WORK_REFUSALS.map(({ subject }) => subject));
  assert.deepEqual([...subjects.difference(modelled)], []);
  const expected = Object.keys(ACTION_OF).map((what) => `${what} accepted`);
  const missing = expected.filter((key) => !met.has(key));
  assert.deepEqual(missing, [], JSON.stringify(Object.fromEntries(met)));
  assert.ok(met.size >= 20, [...met.keys()].join(', '));
});
