import { randomBytes } from 'node:crypto';
import { type JsonValue, netText, parseStrictJson, StrictJsonError } from '@netd/protocol';
import type { HireOptions } from '@netd/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../command-error.ts';
import { addAgentOptions, openAgent, type AgentCommandOptions } from '../../open-agent.ts';
import { amount, positiveAmount, wholeNumber } from '../../option-values.ts';
import { answer } from '../../output.ts';
import { programName, sameOptions } from '../../program-name.ts';
import { inputText } from '../../stored-input.ts';
import { receiptText, noteAmounts, unlessInterrupted } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';

interface OfferOptions extends AgentCommandOptions {
  funding: number;
  instructions: string;
  question?: string;
  acceptance?: string;
  mediaType: string;
  maxBytes: number;
  jobType: string;
  for?: string;
  bond?: number;
  id?: string;
  reviewAnyway?: boolean;
  unverifiedAnyway?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  addAgentOptions(
    command
      .argument('<title>', 'what it is, in public')
      .requiredOption(
        '--funding <amount>',
        'what the worker gets, for example 5NET',
        positiveAmount,
      )
      .requiredOption(
        '--instructions <text>',
        'what is to be done; @file for a file, - for standard input',
      )
      .option('--question <text>', 'what verifiers are to answer with yes (kind review)')
      .option(
        '--acceptance <json>',
        'all that has to be met, as a list of conditions that programs judge; @file for a file',
      )
      .option('--media-type <type>', 'of the deliverable', 'text/plain')
      .option('--max-bytes <number>', 'of the deliverable', wholeNumber(1, 8_388_608), 65_536)
      .option('--job-type <name>', 'its kind, as workers look for it', 'general')
      .option('--for <agent>', 'the one agent that may take it (default: any agent)')
      .option('--bond <amount>', 'what the worker locks until it delivers', amount)
      .option('--id <order>', 'its id: again under it is the same order (default: made up)')
      .option('--review-anyway', 'ask a question even if all verifiers are programs')
      .option(
        '--unverified-anyway',
        'offer it even if no committee of this network could accept a result now',
      ),
  ).action((title: string, options: OfferOptions) => offer(title, options, terminal));
}

async function offer(title: string, options: OfferOptions, terminal: Terminal): Promise<void> {
  const asked = {
    instructions: await inputText(options.instructions, terminal),
    deliverable: { mediaType: options.mediaType, maxBytes: options.maxBytes },
    acceptance: await acceptanceOf(options, terminal),
  };
  const { funding, jobType, bond, for: agentId } = options;
  const orderId = options.id ?? `order-${randomBytes(4).toString('hex')}`;
  const opened = await openAgent(options, terminal);
  const workerBond = bond === undefined ? {} : { workerBond: bond };
  noteAmounts(opened, 'createWorkOrder', { funding, ...workerBond }, terminal);
  try {
    const hiring = opened.agent.hire({
      id: orderId,
      title,
      ...asked,
      jobType,
      funding,
      ...(agentId === undefined ? {} : { worker: agentId }),
      ...workerBond,
      reviewAnyway: options.reviewAnyway === true,
      unverifiedAnyway: options.unverifiedAnyway === true,
    });
    const hired = await unlessInterrupted(
      hiring,
      'createWorkOrder',
      { ...options, actorId: opened.actor.actorId },
      terminal,
    );
    const { receipt } = hired;
    const { scopeHash } = await hired.order();
    const document = { orderId, scopeHash, receipt };
    answer(terminal, options, document, () =>
      [
        receipt
          ? receiptText(opened, 'createWorkOrder', receipt)
          : `${opened.actor.actorId} has offered ${orderId} before.`,
        `  ${netText(funding)} are in escrow for ${orderId}; ${agentId ?? 'any agent'} may take it.`,
        `  See:  ${programName()} work show ${orderId}${sameOptions(options)}`,
      ].join('\n'),
    );
  } finally {
    await opened.agent.stop();
  }
}

async function acceptanceOf(
  { acceptance, question }: OfferOptions,
  terminal: Terminal,
): Promise<HireOptions['acceptance']> {
  const given = acceptance === undefined ? [] : listOf(await inputText(acceptance, terminal));
  const asked = question === undefined ? [] : [{ kind: 'review', question }];
  const [first, ...others] = [...given, ...asked] as HireOptions['acceptance'][number][];
  if (first === undefined) {
    throw new UsageError(
      'say how the work is judged: --question for a mind, --acceptance for a program (netd work show of a house order has examples)',
    );
  }
  return [first, ...others];
}

function listOf(text: string): JsonValue[] {
  try {
    const value = parseStrictJson(text);
    if (Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new UsageError(`--acceptance is no JSON: ${error.message}`);
  }
  throw new UsageError('--acceptance is a list of conditions, in [ ]');
}
