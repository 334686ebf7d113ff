import type { Command } from 'commander';
import { addActorOptions, openAsActor, type ActorOptions } from '../../acting-agent.ts';
import { netText } from '@netd/protocol';
import { addBlobOptions, type BlobOptions } from '../../blob-origins.ts';
import { answer } from '../../output.ts';
import { programName, sameOptions } from '../../program-name.ts';
import { receiptText, submitAction } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';
import { readScope, requireWorkable } from '../../work-scope.ts';
import { bondReturn, readOrder } from '../../work-order.ts';

type AcceptOptions = ActorOptions & BlobOptions;

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(addBlobOptions(command.argument('<order>', 'its id'))).action(
    (orderId: string, options: AcceptOptions) => accept(orderId, options, terminal),
  );
}

async function accept(orderId: string, options: AcceptOptions, terminal: Terminal): Promise<void> {
  const acting = await openAsActor(options);
  const { order } = await readOrder(acting, orderId);
  const { workerBond } = order;
  const next = `  Next: ${programName()} work submit ${orderId} FILE${sameOptions(options)}`;
  // An earlier attempt whose answer was lost may have accepted it.
  if (order.status === 'ACCEPTED' && order.workerId === acting.actor.actorId) {
    answer(terminal, options, order, () => `${order.workerId} has ${orderId} already.\n${next}`);
    return;
  }
  // A worker could not deliver an order without a usable scope.
  if (order.status === 'OPEN') {
    const scope = await readScope(acting, order, options);
    await requireWorkable(acting, order, { scope, blobs: options });
  }
  const receipt = await submitAction(
    acting,
    'acceptWork',
    { orderId, agentId: acting.actor.actorId, ...(workerBond === 0 ? {} : { workerBond }) },
    terminal,
  );
  answer(terminal, options, receipt, () =>
    [
      receiptText(acting, 'acceptWork', receipt),
      ...(workerBond === 0
        ? []
        : [`  ${netText(workerBond)} are locked; they come back with ${bondReturn(order)}.`]),
      next,
    ].join('\n'),
  );
}
