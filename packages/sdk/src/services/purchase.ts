/** Purchases that a model repeats: the same arguments continue the order that an earlier call left open. */
import { hashValue } from '@netd/protocol';
import { codeOf } from '../agent/agent-error.ts';
import { exactValue } from '../agent/exact-value.ts';
import { Records, type AgentState } from '../agent/home.ts';
import { randomId } from '../agent/ask.ts';
import type { Agent, CallOptions, Service } from '../index.ts';

/** After these errors, the same order gives no other answer. */
const OVER = new Set<unknown>(['ORDER_UNPAID', 'RESULT_UNPARSED', 'DELIVERABLE_UNMET']);
/** After these errors, the work of the call may still sign the order. */
const CUT = new Set<unknown>(['CALL_TIMEOUT', 'CALL_ABORTED']);
/** Purchases that were cut before they were signed, and are kept. The work of older ones has ended long ago. */
const CUT_KEPT = 100;

interface Purchase {
  id: Promise<string>;
  /** Calls that wait for it. */
  calls: number;
}
interface Purchases {
  /** Purchases that calls wait for. Two calls at the same time then share an order. */
  running: Map<string, Purchase>;
  /** Keys of purchases that were cut before they were signed, oldest first. */
  cut: Set<string>;
  /** Fulfilled once unsigned records are gone; null before the first purchase, and after a failure. */
  cleaned: Promise<void> | null;
}
const purchasesOf = new WeakMap<AgentState, Purchases>();

type PurchaseRecord = { id: string; key?: string };

/**
 * Buys once for these arguments until the order has ended.
 * @throws Error with the words of the failure, the id of the order, and how to continue it; the errors of `call` if
 *   nothing was ordered
 */
export async function buyOnce<Input, Parsed, Result>(
  agent: Agent,
  service: Service<Input, Parsed, Result>,
  input: Input,
  options: CallOptions,
): Promise<Result> {
  const { state, outbox, poller } = agent['parts'];
  poller.signal.throwIfAborted();
  const records = new Records<PurchaseRecord>(state, 'purchase');
  const isHeld = (id: string): Promise<boolean> => outbox.holds(`hire/${id}`);
  const key = keyOf(service, input, options);
  const purchases = purchasesOf.get(state) ?? {
    running: new Map(),
    cut: new Set(),
    cleaned: null,
  };
  purchasesOf.set(state, purchases);
  purchases.cleaned ??= clean(records, isHeld).catch((error: unknown) => {
    purchases.cleaned = null;
    throw error;
  });
  const { running, cut, cleaned } = purchases;
  const purchase = running.get(key) ?? { id: recordedId(records, key, cleaned), calls: 0 };
  running.set(key, purchase);
  purchase.calls++;
  cut.delete(key);
  try {
    const id = await purchase.id;
    const forget = async (): Promise<void> => {
      if (purchase.calls > 1) return;
      await records.delete(key);
      await outbox.forget(`hire/${id}`);
    };
    try {
      const result = await agent.call(service, input, { ...options, id });
      await forget();
      return result;
    } catch (error) {
      const said = (next: string): Error =>
        new Error(`${error instanceof Error ? error.message : String(error)} ${next}`, {
          cause: error,
        });
      const again = 'Call this tool again with the same arguments to continue it: that pays once.';
      // The state of an agent that ends may be closed, so that the envelope cannot be looked up.
      if (poller.signal.aborted) throw said(`If order ${id} was signed, it stays open. ${again}`);
      const code = codeOf(error);
      const isOrdered = (await outbox.signed(`hire/${id}`)) !== null;
      const isOver = OVER.has(code);
      if (isOver || (!isOrdered && !CUT.has(code))) await forget();
      if (!isOrdered) {
        if (CUT.has(code)) {
          cut.add(key);
          const dropped = dropOldest(records, purchases, isHeld);
          // The next purchases wait for it, and need not fail with it.
          purchases.cleaned = dropped.catch(() => {});
          await dropped;
        }
        throw error;
      }
      if (isOver) throw said(`Order ${id} has ended. Another call pays for another order.`);
      throw said(`Order ${id} stays open. ${again}`);
    }
  } finally {
    if (--purchase.calls === 0) running.delete(key);
  }
}

async function recordedId(
  records: Records<PurchaseRecord>,
  key: string,
  cleaned: Promise<void>,
): Promise<string> {
  await cleaned;
  const known = await records.get(key);
  if (known) return known.id;
  const id = randomId('order');
  await records.put(key, { id, key });
  return id;
}

type IsHeld = (id: string) => Promise<boolean>;

/** Deletes the records of earlier processes that ended before they signed. */
async function clean(records: Records<PurchaseRecord>, isHeld: IsHeld): Promise<void> {
  for (const { id, key } of await records.all()) {
    // Records of old versions do not have their key.
    if (key !== undefined && !(await isHeld(id))) await records.delete(key);
  }
}

async function dropOldest(
  records: Records<PurchaseRecord>,
  { cut, running }: Purchases,
  isHeld: IsHeld,
): Promise<void> {
  const [oldest] = cut;
  if (cut.size <= CUT_KEPT || oldest === undefined) return;
  cut.delete(oldest);
  const known = await records.get(oldest);
  if (known && !(await isHeld(known.id)) && !running.has(oldest)) await records.delete(oldest);
}

function keyOf<Input, Parsed, Result>(
  { name, description, price, outputSchema }: Service<Input, Parsed, Result>,
  input: Input,
  { timeout: _timeout, signal: _signal, ...terms }: CallOptions,
): string {
  const given = Object.fromEntries(
    Object.entries(terms).filter(([, value]) => value !== undefined),
  );
  return hashValue(exactValue({ name, description, price, outputSchema, given, input }));
}
