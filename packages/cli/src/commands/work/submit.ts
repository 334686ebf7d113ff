/** `netd work submit`: deliver an order that was accepted. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { CommandError, UsageError } from '../../command-error.ts';
import { readInputBytes } from '../../input-text.ts';
import {
  addAgentOptions,
  openAgent,
  type AgentCommandOptions,
  type OpenedAgent,
} from '../../open-agent.ts';
import { answer } from '../../output.ts';
import { programName, sameOptions } from '../../program-name.ts';
import type { Terminal } from '../../terminal.ts';
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
  const bytes = await bytesOf(file, terminal);
  const opened = await openAgent(options, terminal);
  try {
    const { order } = await readOrder(opened, orderId);
    const { actorId } = opened.actor;
    if (order.workerId !== actorId || order.status !== 'ACCEPTED') {
      const why =
        order.status === 'OPEN'
          ? `nobody has accepted it: ${programName()} work accept ${orderId}${sameOptions(options)}`
          : `it is ${order.status}${order.workerId === null ? '' : `, and its worker is ${order.workerId}`}`;
      throw new CommandError(
        `${actorId} cannot deliver ${orderId}: ${why}`,
        'WORK_ORDER_NOT_ACCEPTED',
      );
    }
    const deliverableHash = await deliver(opened, orderId, bytes, terminal);
    answer(terminal, options, { orderId, deliverableHash }, () =>
      [
        `${actorId} delivered ${orderId}: ${deliverableHash}`,
        '  Verifiers judge it now.',
        `  See:   ${programName()} work show ${orderId}`,
        `  Then:  ${programName()} work settle ${orderId} --wait${sameOptions(options)}`,
      ].join('\n'),
    );
  } finally {
    await opened.agent.stop();
  }
}

async function bytesOf(file: string, terminal: Terminal): Promise<Uint8Array> {
  if (file === '-') return new Uint8Array(await readInputBytes(terminal.input));
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Lets the agent work: it judges the bytes by the scope, seals them where the scope was sealed, stores and commits them.
 * @throws whatever kept it from that, the first time
 */
function deliver(
  { agent }: OpenedAgent,
  orderId: string,
  bytes: Uint8Array,
  terminal: Terminal,
): Promise<string> {
  const interruption = terminal.interruption();
  return new Promise((resolve, reject) => {
    agent.on('delivered', (event) => {
      if (event.orderId === orderId) resolve(event.deliverableHash);
    });
    agent.on('failed', (event) => {
      if (event.orderId === orderId) reject(event.error);
    });
    agent.on('warning', ({ code, message }) => reject(new CommandError(message, code)));
    interruption.addEventListener('abort', () =>
      reject(
        new CommandError(
          `interrupted: the same command goes on with what is under way`,
          'INTERRUPTED',
          'interrupted',
        ),
      ),
    );
    // Other orders in hand wait for the program that does them, and no further one is taken.
    agent.onWork({ minFunding: Number.MAX_SAFE_INTEGER }, (job) =>
      job.orderId === orderId ? bytes : new Promise<never>(() => {}),
    );
    agent.run({ signal: interruption }).catch(reject);
  });
}
