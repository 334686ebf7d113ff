import { readFile } from 'node:fs/promises';
import { ACTIONS, type Action } from '@netd/ledger';
import type { Command } from 'commander';
import { actionHelp } from '../action-help.ts';
import { sha256Hex, type JsonObject } from '@netd/protocol';
import { nextVote, type Ballot } from '@netd/sdk';
import { openAsActor, type Acting } from '../acting-agent.ts';
import { UsageError } from '../command-error.ts';
import { addAgentOptions, openAgent, type AgentCommandOptions } from '../open-agent.ts';
import { inputBytes } from '../stored-input.ts';
import { filledIn } from '../filled-in.ts';
import { EXIT } from '../exit-codes.ts';
import { readInputText } from '../input-text.ts';
import { requireAction } from '../known-action.ts';
import { payloadFromWords } from '../payload-words.ts';
import { columns, jsonText } from '../printable.ts';
import { programName } from '../program-name.ts';
import { receiptText, submitAction } from '../submit-action.ts';
import type { Terminal } from '../terminal.ts';

interface ActOptions extends AgentCommandOptions {
  dryRun?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .argument('<action>', 'its name; the agent that acts may stand before it, in place of --as')
    .argument(
      '[payload...]',
      'member=value (5NET for an amount, a,b for a list, @file for a content: stored as a blob if the member is a hash), or JSON, @file, - for standard input',
    );
  addAgentOptions(command)
    .option('--dry-run', 'only say what would happen')
    .action((first: string, rest: string[], options: ActOptions) => {
      const { agent, ...what } = whatIsAsked(first, rest);
      const isNamedTwice = command.getOptionValueSource('as') === 'cli' && options.as !== agent;
      if (agent !== null && isNamedTwice) {
        throw new UsageError(`say who acts once: ${agent} or --as ${options.as}`);
      }
      return act(what, agent === null ? options : { ...options, as: agent }, terminal);
    });
  const general = command.helpInformation.bind(command);
  command.helpInformation = (context) => {
    const action = actionAskedFor(command);
    if (action) return `${actionHelp(action, filledIn(action), programName())}\n`;
    const rows = [...ACTIONS.values()].map(({ name, summary }) => [name, summary]);
    return `${general(context)}\nActions (netd act ACTION --help shows its members):\n${columns(rows)}\n`;
  };
}

function actionAskedFor(command: Command): Action | null {
  const { rawArgs } = command.parent as Command & { rawArgs: string[] };
  const words = rawArgs.filter((word) => /^[A-Za-z]\w*$/.test(word) && word !== 'help');
  const found = words.slice(1).flatMap((word) => ACTIONS.get(word) ?? [])[0];
  if (found) return found;
  if ([2, 3].includes(words.length) && rawArgs.length === words.length + 1) {
    requireAction(words.at(-1) as string);
  }
  return null;
}

/** Two words may be agent and action, or action and payload. The second is an action if its name is known. */
function whatIsAsked(first: string, [second, ...more]: string[]): Act & { agent: string | null } {
  const isAgentFirst =
    second !== undefined && !second.includes('=') && (ACTIONS.has(second) || !ACTIONS.has(first));
  return isAgentFirst
    ? { agent: first, actionName: second, words: more }
    : { agent: null, actionName: first, words: second === undefined ? [] : [second, ...more] };
}

interface Act {
  actionName: string;
  words: readonly string[];
}

/** Returns the hash of the file's content, and stores the content except in a dry run. */
async function storedHash(file: string, options: ActOptions, terminal: Terminal): Promise<string> {
  const bytes = await inputBytes(file, terminal);
  if (options.dryRun === true) return sha256Hex(bytes);
  const { agent } = await openAgent(options, terminal);
  try {
    return await agent.store(bytes);
  } finally {
    await agent.stop();
  }
}

async function act(
  { actionName, words }: Act,
  options: ActOptions,
  terminal: Terminal,
): Promise<void> {
  const action = requireAction(actionName);
  const read = await payloadFromWords(words, action.payload, {
    readFile: async (path) => (await readFile(path, 'utf8')).trimEnd(),
    readInput: () => readInputText(terminal.input),
    store: (file) => storedHash(file, options, terminal),
  });
  const acting = await openAsActor(options);
  const given = actionName === 'voteWork' ? await voteStep(acting, read) : read;
  if (options.dryRun === true) {
    const simulation = await acting.client.simulate(acting.actor, actionName, given);
    terminal.print(jsonText(simulation, 2));
    if (simulation.outcome !== 'accepted') terminal.exitCode = EXIT.failed;
    return;
  }
  const receipt = await submitAction(acting, actionName, given, terminal);
  terminal.print(
    options.json === true ? jsonText(receipt, 2) : receiptText(acting, actionName, receipt),
  );
}

/** Turns a vote into the commitment or the revelation that an order with sealed votes takes now. */
async function voteStep({ client, actor }: Acting, payload: JsonObject): Promise<JsonObject> {
  const { orderId, verifierId: _self, salt, commitment, ...ballot } = payload;
  const isOpen = salt === undefined && commitment === undefined && ballot['vote'] !== undefined;
  if (!isOpen || typeof orderId !== 'string') return payload;
  const { order } = await client.read('/v1/work-orders/{orderId}', { orderId });
  if (!order.verification?.commitments) return payload;
  return { ...((await nextVote(order, actor, ballot as unknown as Ballot)) ?? payload) };
}
