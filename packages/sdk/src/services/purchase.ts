/** Purchases that a model repeats: the same arguments continue the order that an earlier call left open. */
import { hashValue } from '@netd/protocol';
import { codeOf } from '../agent/agent-error.ts';
import { exactValue } from '../agent/exact-value.ts';
import { Records, type AgentState } from '../agent/home.ts';
import { randomId } from '../agent/ask.ts';
import type { Agent, CallOptions, Service } from '../index.ts';

/** After these errors, the same order gives no other answer. */
const OVER = new Set<unknown>(['ORDER_UNPAID', 'RESULT_UNPARSED', 'DELIVERABLE_UNMET']);
/** After these errors, the order may have been signed. */
const CUT = new Set<unknown>(['CALL_TIMEOUT', 'CALL_ABORTED', 'AGENT_STOPPED']);

interface Purchase {
  id: Promise<string>;
  /** Calls that wait for it. */
  calls: number;
}
/** Purchases that calls wait for. Two calls at the same time then share an order. */
const running = new WeakMap<AgentState, Map<string, Purchase>>();

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
  const { state, outbox } = agent['parts'];
  const records = new Records<{ id: string }>(state, 'purchase');
  const key = keyOf(service, input, options);
  const purchases = running.get(state) ?? new Map<string, Purchase>();
  running.set(state, purchases);
  const purchase = purchases.get(key) ?? { id: recordedId(records, key), calls: 0 };
  purchases.set(key, purchase);
  purchase.calls++;
  try {
    const id = await purchase.id;
    const name = `hire/${id}`;
    const forget = async (): Promise<void> => {
      if (purchase.calls > 1) return;
      await records.delete(key);
      await outbox.forget(name);
    };
    try {
      const result = await agent.call(service, input, { ...options, id });
      await forget();
      return result;
    } catch (error) {
      const code = codeOf(error);
      // A stopped agent has closed its state.
      const isOrdered = code === 'AGENT_STOPPED' || (await outbox.signed(name)) !== null;
      const isOver = OVER.has(code);
      if (isOver || (!isOrdered && !CUT.has(code))) await forget();
      if (!isOrdered) throw error;
      const next = isOver
        ? `Order ${id} has ended. Another call pays for another order.`
        : `Order ${id} stays open. Call this tool again with the same arguments to continue it: that pays once.`;
      throw new Error(`${error instanceof Error ? error.message : String(error)} ${next}`, {
        cause: error,
      });
    }
  } finally {
    if (--purchase.calls === 0) purchases.delete(key);
  }
}

async function recordedId(records: Records<{ id: string }>, key: string): Promise<string> {
  const known = await records.get(key);
  if (known) return known.id;
  const id = randomId('order');
  await records.put(key, { id });
  return id;
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
