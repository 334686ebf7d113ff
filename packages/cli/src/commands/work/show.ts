/** `netd work show`: one order. */
import type { Command } from 'commander';
import { addNodeOptions, openNode, type NodeOptions } from '../../node-address.ts';
import { answer } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';
import { nextLine, orderText, readOrder } from '../../work-order.ts';

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(command.argument('<order>', 'its id')).action(
    (orderId: string, options: NodeOptions) => show(orderId, options, terminal),
  );
}

async function show(orderId: string, options: NodeOptions, terminal: Terminal): Promise<void> {
  const node = await openNode(options);
  const document = await readOrder(node, orderId);
  answer(terminal, options, document, () =>
    [orderText(document.order, node.network, terminal), nextLine(document.order, options)]
      .filter((part) => part !== null)
      .join('\n'),
  );
}
