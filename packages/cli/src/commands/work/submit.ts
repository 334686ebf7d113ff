import { sha256Hex } from '@netd/protocol';
import type { Command } from 'commander';
import { CommandError } from '../../command-error.ts';
import { addAgentOptions, openAgent, type AgentCommandOptions } from '../../open-agent.ts';
import { answer } from '../../output.ts';
import { programName, sameOptions } from '../../program-name.ts';
import { inputBytes } from '../../stored-input.ts';
import { unlessInterrupted } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';
import { whileNodeAnswers } from '../../while-node-answers.ts';
import { readOrder } from '../../work-order.ts';

export function configure(command: Command, terminal: Terminal): void {
  addAgentOptions(
    command
      .argument('<order>', 'its id')
      .argument('<file>', 'what is delivered; - for standard input'),
  ).action((orderId: string, file: string, options: AgentCommandOptions) =>
    submit(orderId, file, options, terminal),
  );
}

async function submit(
  orderId: string,
  file: string,
  options: AgentCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const bytes = await inputBytes(file, terminal);
  const opened = await openAgent(options, terminal);
  try {
    const { order } = await readOrder(opened, orderId);
    const { actorId } = opened.actor;
    const isMine = order.workerId === actorId;
    // An earlier attempt whose answer was lost may have delivered it.
    const isDelivered = isMine && order.result?.deliverableHash === sha256Hex(bytes);
    if (!isDelivered && (!isMine || order.status !== 'ACCEPTED')) {
      const why =
        order.status === 'OPEN'
          ? `it has not been accepted: ${programName()} work accept ${orderId}${sameOptions(options)}`
          : `it is ${order.status}${order.workerId === null ? '' : `, and its worker is ${order.workerId}`}`;
      throw new CommandError(
        `${actorId} cannot deliver ${orderId}: ${why}`,
        'WORK_ORDER_NOT_ACCEPTED',
      );
    }
    const deliverableHash = await whileNodeAnswers(
      opened.client,
      unlessInterrupted(
        opened.agent.deliver(orderId, bytes),
        'submitWorkResult',
        { ...options, actorId },
        terminal,
      ),
    );
    answer(terminal, options, { orderId, deliverableHash }, () =>
      [
        `${actorId} delivered ${orderId}: ${deliverableHash}`,
        '  Verifiers judge it now.',
        `  See:   ${programName()} work show ${orderId}${sameOptions(options)}`,
        `  Then:  ${programName()} work settle ${orderId} --wait${sameOptions(options)}`,
      ].join('\n'),
    );
  } finally {
    await opened.agent.stop();
  }
}
