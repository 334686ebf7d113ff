/** `netd work settle`: have a verified order paid. */
import { NetError } from '@netd/sdk';
import type { Command } from 'commander';
import { addActorOptions, openAsActor, type ActorOptions } from '../../acting-agent.ts';
import { net } from '../../amounts.ts';
import { timeLeft } from '../../moments.ts';
import { answer } from '../../output.ts';
import { receiptText, submitAction } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';
import { readOrder } from '../../work-order.ts';

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(command.argument('<order>', 'its id')).action(
    (orderId: string, options: ActorOptions) => settle(orderId, options, terminal),
  );
}

async function settle(orderId: string, options: ActorOptions, terminal: Terminal): Promise<void> {
  const acting = await openAsActor(options);
  const { order } = await readOrder(acting, orderId);
  const receipt = await submitAction(acting, 'settleVerifiedWork', { orderId }, terminal).catch(
    (error: unknown) => {
      if (error instanceof NetError && error.code === 'DISPUTE_WINDOW_OPEN') {
        error.message += `\n  Settle it in ${timeLeft(order.disputableUntil, acting.network)}.`;
      }
      throw error;
    },
  );
  answer(terminal, options, receipt, () =>
    [
      receiptText(acting, 'settleVerifiedWork', receipt),
      `  ${order.workerId} has ${net(order.funding)} more.`,
    ].join('\n'),
  );
}
