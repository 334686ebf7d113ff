import { canonicalize, parseStrictJson, type JsonValue } from '@netd/protocol';
import { AgentError, type Actor, type Agent } from '@netd/sdk';
import type { Command } from 'commander';
import { CommandError, UsageError } from '../command-error.ts';
import { addAgentOptions, openAgent, type AgentCommandOptions } from '../open-agent.ts';
import { answer } from '../output.ts';
import { columns, oneLine, printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { whileNodeAnswers } from '../while-node-answers.ts';

interface RememberOptions extends AgentCommandOptions {
  forget?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  addAgentOptions(
    command
      .argument('[key]', 'of what; without one, everything is shown')
      .argument('[value]', 'JSON, or text; without one, the value is shown')
      .option('--forget', 'take the key out of the memory'),
  ).action((key: string | undefined, value: string | undefined, options: RememberOptions) =>
    remember(key, value, options, terminal),
  );
}

async function remember(
  key: string | undefined,
  value: string | undefined,
  options: RememberOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.forget === true && (key === undefined || value !== undefined)) {
    throw new UsageError('--forget takes a key and no value');
  }
  const { agent, actor, client, hush } = await openAgent(options, terminal, { memory: true });
  try {
    const { memory } = remembering(agent, actor);
    if (key === undefined) {
      const entries = memory.entries();
      answer(terminal, options, Object.fromEntries(entries), () =>
        entries.length === 0
          ? `  ${actor.actorId} remembers nothing yet`
          : columns(entries.map(([name, known]) => [name, oneLine(textOf(known), 100)])),
      );
      return;
    }
    if (value === undefined && options.forget !== true) {
      const known = memory.get(key);
      if (known === undefined) {
        throw new CommandError(`${actor.actorId} remembers nothing under ${key}`, 'NOT_REMEMBERED');
      }
      answer(terminal, options, { key, value: known }, () => printable(textOf(known)));
      return;
    }
    if (value === undefined) memory.delete(key);
    // Setting the same value again, perhaps after a lost answer, creates no new generation.
    else if (!isEqual(memory.get(key), valueOf(value))) memory.set(key, valueOf(value));
    await whileNodeAnswers(client, memory.commit());
    const { generation } = memory;
    answer(
      terminal,
      options,
      { key, generation },
      () =>
        `${value === undefined ? 'Forgotten' : 'Remembered'}, sealed, in generation ${generation} of the memory.`,
    );
  } catch (error) {
    hush();
    throw explained(error);
  } finally {
    await agent.stop();
  }
}

function remembering(agent: Agent, { actorId, sessionId }: Actor): Agent {
  try {
    void agent.memory;
    return agent;
  } catch (error) {
    if (sessionId === undefined) throw error;
    throw new CommandError(
      `the session ${sessionId} of ${actorId} does not remember: grant one with --actions commitMemoryCheckpoint, which gets the key for sealed content`,
      'SESSION_READS_NOTHING',
    );
  }
}

function explained(error: unknown): unknown {
  if (error instanceof AgentError && error.code === 'MEMORY_NEEDS_REPLICAS') {
    error.message += '\n  Name two with --blobs ORIGIN,ORIGIN.';
  }
  return error;
}

const isEqual = (known: JsonValue | undefined, value: JsonValue): boolean =>
  known !== undefined && canonicalize(known) === canonicalize(value);

const textOf = (value: JsonValue): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function valueOf(text: string): JsonValue {
  try {
    return parseStrictJson(text);
  } catch {
    return text;
  }
}
