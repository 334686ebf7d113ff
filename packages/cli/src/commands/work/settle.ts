import { setTimeout as sleep } from 'node:timers/promises';
import type { Receipt } from '@netd/protocol';
import { NetError } from '@netd/sdk';
import type { Command } from 'commander';
import {
  addActorOptions,
  openAsActor,
  type Acting,
  type ActorOptions,
} from '../../acting-agent.ts';
import { netText } from '@netd/protocol';
import { CommandError } from '../../command-error.ts';
import { timeLeft } from '../../times.ts';
import { answer } from '../../output.ts';
import { receiptText, submitAction } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';
import { readOrder, type WorkOrder } from '../../work-order.ts';

interface SettleOptions extends ActorOptions {
  wait?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(
    command
      .argument('<order>', 'its id')
      .option('--wait', 'until it is verified and can be disputed no more'),
  ).action((orderId: string, options: SettleOptions) => settle(orderId, options, terminal));
}

async function settle(orderId: string, options: SettleOptions, terminal: Terminal): Promise<void> {
  const acting = await openAsActor(options);
  const { order, receipt } =
    options.wait === true
      ? await settleInTime(acting, orderId, terminal)
      : await settleNow(acting, orderId, terminal);
  answer(terminal, options, receipt ?? order, () =>
    [
      receipt
        ? receiptText(acting, 'settleVerifiedWork', receipt)
        : `${orderId} has been settled by another agent.`,
      `  ${order.workerId} has ${netText(order.funding)} more.`,
    ].join('\n'),
  );
}

interface Settled {
  order: WorkOrder;
  /** Null if another agent settled the order. */
  receipt: Receipt | null;
}

async function settleNow(acting: Acting, orderId: string, terminal: Terminal): Promise<Settled> {
  const { order } = await readOrder(acting, orderId);
  try {
    const receipt = await submitAction(acting, 'settleVerifiedWork', { orderId }, terminal);
    return { order, receipt };
  } catch (error) {
    if (error instanceof NetError && error.code === 'DISPUTE_WINDOW_OPEN') {
      error.message += `\n  Settle it in ${timeLeft(order.disputableUntil, acting.network)}, or with --wait.`;
    }
    throw error;
  }
}

const LOOK_MILLISECONDS = 500;

async function settleInTime(acting: Acting, orderId: string, terminal: Terminal): Promise<Settled> {
  const interruption = terminal.interruption();
  for (;;) {
    const { order } = await readOrder(acting, orderId);
    if (order.status === 'PAID') return { order, receipt: null };
    if (order.status === 'REJECTED' || order.status === 'OPEN') {
      const what = order.reason ?? 'it has not been accepted';
      throw new CommandError(`${orderId} cannot be settled: ${what}`, 'WORK_NOT_VERIFIED');
    }
    const head = await acting.client.network();
    const isDue = order.phase === 'VERIFIED' || order.phase === 'UNJUDGED';
    const left = isDue ? timeLeft(order.disputableUntil, head) : null;
    if (left === 'over') {
      try {
        return await settleNow(acting, orderId, terminal);
      } catch (error) {
        // Retry, because the node's clock decides when the window ends and another agent may settle first.
        const { code } = error as { code?: unknown };
        if (code !== 'DISPUTE_WINDOW_OPEN' && code !== 'WORK_NOT_VERIFIED') throw error;
      }
    }
    if (interruption.aborted) throw new CommandError('interrupted', 'INTERRUPTED', 'interrupted');
    await sleep(LOOK_MILLISECONDS);
  }
}
