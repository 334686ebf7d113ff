/** Purchases that a model repeats: the same arguments continue the order that an earlier call left open. */
import { hashValue } from '@netd/protocol';
import { codeOf } from '../agent/agent-error.ts';
import { exactValue } from '../agent/exact-value.ts';
import { Records } from '../agent/home.ts';
import { randomId } from '../agent/ask.ts';
import type { Agent, CallOptions, Service } from '../index.ts';

/** After these errors, the same order gives no other answer. */
const OVER = new Set<unknown>(['ORDER_UNPAID', 'RESULT_UNPARSED', 'DELIVERABLE_UNMET']);
/** After these errors, the order may have been signed. */
const CUT = new Set<unknown>(['CALL_TIMEOUT', 'CALL_ABORTED', 'AGENT_STOPPED']);

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
  const id = (await records.get(key))?.id ?? randomId('order');
  await records.put(key, { id });
  const name = `hire/${id}`;
  const forget = async (): Promise<void> => {
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
