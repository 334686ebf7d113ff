import type { Command } from 'commander';
import { addActorOptions, onlyAgent, type ActorOptions } from '../../acting-agent.ts';
import { openNode } from '../../node-address.ts';
import { answer, factsText } from '../../output.ts';
import { columns } from '../../printable.ts';
import type { Terminal } from '../../terminal.ts';
import { nextLine, orderText, readOrder } from '../../work-order.ts';

export function configure(command: Command, terminal: Terminal): void {
  addActorOptions(command.argument('<order>', 'its id')).action(
    (orderId: string, options: ActorOptions) => brief(orderId, options, terminal),
  );
}

async function brief(orderId: string, options: ActorOptions, terminal: Terminal): Promise<void> {
  const node = await openNode(options, options.as ?? null);
  // Read the order first for its error, which names similar ids.
  await readOrder(node, orderId);
  const actorId = knownAgent(options, node.network.chainId);
  const document = await node.client.read('/v1/work-orders/{orderId}/brief', { orderId, actorId });
  answer(terminal, options, document, () => {
    const { order, availability, requester, verification } = document;
    const { paid, disputed, lost, cancelled, funded } = requester;
    const conditions = availability.conditions.map(({ rule, refusal }) => [rule, refusal]);
    const steps = verification.steps.map(({ phase, what }) => [phase, what]);
    return [
      orderText(order, node.network, terminal),
      factsText([
        ['for', `${availability.agentId ?? 'any agent'}: ${availability.state}`],
        [
          'requester',
          `funded ${funded}, paid ${paid}, cancelled ${cancelled}, disputed ${disputed}, lost ${lost}`,
        ],
        ['verifiers', `${verification.activeVerifiers} active`],
      ]),
      ...(conditions.length === 0 ? [] : ['  To accept it:', columns(conditions, '    ')]),
      ...(steps.length === 0 ? [] : ['  Then:', columns(steps, '    ')]),
      ...(availability.acceptable ? [nextLine(order, options)] : []),
    ].join('\n');
  });
}

function knownAgent(options: ActorOptions, chainId: string): string | undefined {
  try {
    return onlyAgent(options, chainId);
  } catch {
    return undefined;
  }
}
