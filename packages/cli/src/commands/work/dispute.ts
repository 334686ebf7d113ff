import { sha256Hex, utf8Bytes } from '@netd/protocol';
import type { Command } from 'commander';
import { addAgentOptions, openAgent, type AgentCommandOptions } from '../../open-agent.ts';
import { amount } from '../../option-values.ts';
import { answer } from '../../output.ts';
import { programName } from '../../program-name.ts';
import { inputText } from '../../stored-input.ts';
import { receiptText, unlessInterrupted } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';
import { readOrder } from '../../work-order.ts';

interface DisputeOptions extends AgentCommandOptions {
  reason: string;
  bond?: number;
}

export function configure(command: Command, terminal: Terminal): void {
  addAgentOptions(
    command
      .argument('<order>', 'its id')
      .requiredOption(
        '--reason <text>',
        'what is wrong, for those who decide: public; @file for a file, - for standard input',
      )
      .option(
        '--bond <amount>',
        'lock exactly this, or nothing; default: what the order asks, half its funding',
        amount,
      ),
  ).action((orderId: string, options: DisputeOptions) => dispute(orderId, options, terminal));
}

async function dispute(
  orderId: string,
  options: DisputeOptions,
  terminal: Terminal,
): Promise<void> {
  const reason = await inputText(options.reason, terminal);
  const opened = await openAgent(options, terminal);
  try {
    await readOrder(opened, orderId);
    const { actorId } = opened.actor;
    const { bond } = options;
    const disputing = opened.agent.dispute(orderId, reason, bond === undefined ? {} : { bond });
    const receipt = await unlessInterrupted(
      disputing,
      'openDispute',
      { ...options, actorId },
      terminal,
    );
    const reasonHash = sha256Hex(utf8Bytes(reason));
    answer(terminal, options, receipt, () =>
      [
        receiptText(opened, 'openDispute', receipt),
        `  The reason is stored as ${reasonHash}; your bond is locked until the dispute is decided.`,
        `  See:  ${programName()} work show ${orderId}`,
      ].join('\n'),
    );
  } finally {
    await opened.agent.stop();
  }
}
