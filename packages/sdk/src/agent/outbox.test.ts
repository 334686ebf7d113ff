/** An outbox before a node that withholds envelopes, says that it refuses them, and executes them later. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { hashValue, type JsonObject, type Receipt } from '@netd/protocol';
import { AgentKey } from '../agent-key.ts';
import { NetError, type Problem } from '../http.ts';
import { memoryHome } from './leased-home.ts';
import { Outbox } from './outbox.ts';
import type { RetryingClient } from './retrying-client.ts';

type Envelope = JsonObject & { nonce: string; expiresAtHeight: number; payload: JsonObject };

const refused = (code: string): NetError =>
  new NetError(400, { code, title: 't', detail: 'd', status: 400 } as unknown as Problem);

/** A chain with the rules of nonces and expiries, whose node lies on demand. */
class LyingNode {
  true = 100;
  claimed = 0;
  /** Refusal of the next envelopes; null for the truth. */
  says: string | null = null;
  readonly seen: Envelope[] = [];
  readonly executed = new Map<string, Receipt>();
  private readonly spentUntil = new Map<string, number>();

  /** @throws NetError with the code of the chain's refusal */
  execute(envelope: Envelope): Receipt {
    const { nonce, expiresAtHeight } = envelope;
    const hash = hashValue(envelope);
    const before = this.executed.get(hash);
    if (before) return before;
    if (expiresAtHeight < this.true) throw refused('INTENT_EXPIRED');
    if (expiresAtHeight > this.true + 5_000) throw refused('EXPIRY_TOO_FAR');
    if ((this.spentUntil.get(nonce) ?? 0) >= this.true) throw refused('NONCE_REPLAYED');
    const receipt = { transitionHash: hash, height: this.true } as unknown as Receipt;
    this.executed.set(hash, receipt);
    this.spentUntil.set(nonce, expiresAtHeight);
    return receipt;
  }

  readonly client = {
    tip: async () => ({ height: this.true + this.claimed, genesisHash: null }),
    submit: async (_path: string, envelope: Envelope) => {
      this.seen.push(envelope);
      if (this.says !== null) throw refused(this.says);
      return this.execute(envelope);
    },
  } as unknown as RetryingClient;
}

const key = await AgentKey.generate();

/** Returns a node, and a function that opens an outbox over one state as a process would. */
async function world(): Promise<{ node: LyingNode; open: () => Outbox }> {
  const node = new LyingNode();
  const state = await memoryHome().openState();
  const signer = { actorId: 'ada', chainId: 'c', key, sessionId: null };
  const open = (): Outbox =>
    new Outbox(node.client, signer, state, { reach: () => {}, ended: () => {} });
  return { node, open };
}

const pay = (outbox: Outbox, amount = 1, id = 'own/pay/1'): Promise<Receipt> =>
  outbox.act(id, 'transfer', { to: 'bea', amount });
const fails = (code: string, call: Promise<unknown>): Promise<void> =>
  assert.rejects(call, { code });

describe('an outbox before a node that lies', () => {
  it('never executes an act twice', async () => {
    const step = fc.oneof(
      fc.record({ grow: fc.constantFrom(1, 300, 599, 601, 2_000) }),
      fc.record({ claim: fc.constantFrom(-480, -90, 0, 550, 2_500) }),
      fc.record({ release: fc.nat({ max: 9 }) }),
      fc.record({ says: fc.constantFrom(null, 'INSUFFICIENT_BALANCE', 'RECIPIENT_UNKNOWN') }),
      fc.record({ pay: fc.constant(true) }),
      fc.record({ restart: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
        const { node, open } = await world();
        let outbox = open();
        for (const one of steps) {
          if ('grow' in one) node.true += one.grow;
          if ('claim' in one) node.claimed = one.claim;
          if ('says' in one) node.says = one.says;
          if ('restart' in one) outbox = open();
          if ('pay' in one) await pay(outbox).catch(() => {});
          const held = 'release' in one ? node.seen.at(-1 - one.release) : undefined;
          try {
            if (held) node.execute(held);
          } catch {
            // The chain refuses it.
          }
          assert.ok(node.executed.size <= 1, 'paid once');
        }
      }),
      { numRuns: 200 },
    );
  });

  it('keeps nonce and expiry for another payload, also in the next process', async () => {
    const { node, open } = await world();
    node.says = 'INSUFFICIENT_BALANCE';
    await fails('INSUFFICIENT_BALANCE', pay(open(), 5));
    node.claimed = -50;
    await fails('INSUFFICIENT_BALANCE', pay(open(), 3));
    const [first, second] = node.seen;
    assert.equal(second?.nonce, first?.nonce);
    assert.equal(second?.expiresAtHeight, first?.expiresAtHeight);
  });

  it('finds the receipt of an envelope that was executed despite its refusal', async () => {
    const { node, open } = await world();
    node.says = 'INSUFFICIENT_BALANCE';
    await fails('INSUFFICIENT_BALANCE', pay(open()));
    const [first] = node.seen;
    assert.ok(first);
    const receipt = node.execute(first);
    node.says = null;
    node.true += 5_000;
    assert.deepEqual(await pay(open()), receipt);
    assert.deepEqual((await open().signed('own/pay/1'))?.payload, { to: 'bea', amount: 1 });
  });

  it('refuses another payload once the first was executed, and then remembers the first', async () => {
    const { node, open } = await world();
    node.says = 'INSUFFICIENT_BALANCE';
    await fails('INSUFFICIENT_BALANCE', pay(open(), 5));
    const [first] = node.seen;
    assert.ok(first);
    node.execute(first);
    node.says = null;
    await fails('NONCE_REPLAYED', pay(open(), 3));
    assert.deepEqual((await open().signed('own/pay/1'))?.payload, { to: 'bea', amount: 5 });
    assert.equal(node.executed.size, 1);
  });

  it('signs again once a refused envelope has expired', async () => {
    const { node, open } = await world();
    node.says = 'INSUFFICIENT_BALANCE';
    await fails('INSUFFICIENT_BALANCE', pay(open()));
    node.says = null;
    node.true += 601;
    await pay(open());
    assert.equal(node.executed.size, 1);
  });

  it('drops a false height from acts that the chain executes once, not from payments', async () => {
    const { node, open } = await world();
    for (const id of ['own/pay/1', 'accept/o1']) {
      node.claimed = 1_000_000;
      await fails('EXPIRY_TOO_FAR', pay(open(), 1, id));
      node.claimed = 0;
    }
    await fails('EXPIRY_TOO_FAR', pay(open()));
    await pay(open(), 1, 'accept/o1');
    assert.equal(node.executed.size, 1);
  });

  it('remembers an executed act that was refused before, whatever is refused since', async () => {
    const { node, open } = await world();
    const outbox = open();
    node.says = 'INSUFFICIENT_BALANCE';
    await fails('INSUFFICIENT_BALANCE', pay(outbox));
    node.says = null;
    await pay(outbox);
    node.says = 'INSUFFICIENT_BALANCE';
    for (let count = 2; count <= 1_002; count++) {
      await fails('INSUFFICIENT_BALANCE', pay(outbox, 1, `own/pay/${count}`));
    }
    node.says = null;
    await pay(outbox);
    assert.equal(node.executed.size, 1);
  });
});
