import { setTimeout as sleep } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import type { Agent, Message, SendOptions } from '@netd/sdk';
import type { Command } from 'commander';
import { CommandError, UsageError } from '../command-error.ts';
import { readInputBytes } from '../input-text.ts';
import {
  addAgentOptions,
  openTalkingAgent,
  type AgentCommandOptions,
  type OpenedAgent,
} from '../open-agent.ts';
import { whileNodeAnswers } from '../while-node-answers.ts';
import { wholeNumber } from '../option-values.ts';
import { answer } from '../output.ts';
import { printable } from '../printable.ts';
import { programName, sameOptions } from '../program-name.ts';
import { readAgent } from '../read-agent.ts';
import type { Terminal } from '../terminal.ts';

interface MessageOptions extends AgentCommandOptions {
  read?: boolean;
  ask?: boolean;
  timeout: number;
  replyTo?: string;
}

export function configure(command: Command, terminal: Terminal): void {
  addAgentOptions(
    command
      .argument('[agent]', 'the recipient')
      .argument('[text]', 'what to say; @file, or - for standard input')
      .option('--read', 'open, show and acknowledge what came')
      .option('--ask', 'wait for the answer')
      .option('--timeout <seconds>', 'how long', wholeNumber(1, 3_600), 60)
      .option('--reply-to <message>', 'answer this message'),
  ).action((to: string | undefined, text: string | undefined, options: MessageOptions) =>
    message(to, text, options, terminal),
  );
}

async function message(
  to: string | undefined,
  text: string | undefined,
  options: MessageOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.read === true) {
    if (to !== undefined) throw new UsageError('--read takes no recipient');
  } else if (to === undefined || text === undefined) {
    throw new UsageError('say who is to read what, or --read for what came');
  }
  const content = text === undefined ? null : await contentOf(text, terminal);
  const opened = await openTalkingAgent(options, terminal);
  try {
    await whileNodeAnswers(
      opened.client,
      content === null || to === undefined
        ? read(opened, options, terminal)
        : send(opened, { to, content }, options, terminal),
    );
  } finally {
    await opened.agent.stop();
  }
}

async function contentOf(text: string, terminal: Terminal): Promise<string | Uint8Array> {
  const content =
    text === '-'
      ? new Uint8Array(await readInputBytes(terminal.input))
      : text.startsWith('@')
        ? new Uint8Array(await readContent(text.slice(1)))
        : text;
  if (content.length === 0) throw new UsageError('there is nothing to say');
  return content;
}

async function readContent(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function send(
  { agent, client, actor }: OpenedAgent,
  { to, content }: { to: string; content: string | Uint8Array },
  options: MessageOptions,
  terminal: Terminal,
): Promise<void> {
  await requireOther(client, actor.actorId, to);
  if (options.ask === true) {
    const said = await agent.ask(to, content, { timeout: options.timeout * 1_000 });
    answer(terminal, options, plain(said), () => shown(said, terminal));
    return;
  }
  const how = await replyOptions(client, actor.actorId, options.replyTo);
  const sent = await agent.send(to, content, how);
  answer(terminal, options, sent, () =>
    [
      `Sent to ${to}, sealed, as ${sent.messageId}.`,
      ...(how.kind === 'REQUEST'
        ? [`  Its answer: ${programName()} message --read${sameOptions(options)}`]
        : []),
    ].join('\n'),
  );
}

async function requireOther(
  client: OpenedAgent['client'],
  from: string,
  to: string,
): Promise<void> {
  if (to === from) throw new UsageError(`${from} need not write to itself: name another agent`);
  await readAgent({ client }, to);
}

async function replyOptions(
  client: OpenedAgent['client'],
  agentId: string,
  replyTo: string | undefined,
): Promise<SendOptions> {
  if (replyTo === undefined) return { kind: 'REQUEST' };
  for await (const one of client.items('/v1/agent-messages', { agentId, limit: 100 })) {
    if (one.messageId === replyTo) {
      return { kind: 'RESPONSE', replyTo, conversationId: one.conversationId };
    }
  }
  throw new UsageError(`${agentId} has sent or received no message ${replyTo}`);
}

interface Refusal {
  messageId: string;
  fromAgentId: string;
  code: string;
  reason: string;
}

async function read(
  { agent, client, actor }: OpenedAgent,
  options: MessageOptions,
  terminal: Terminal,
): Promise<void> {
  const found: (Message | Refusal)[] = [];
  const waiting = async (): Promise<boolean> => {
    const { actorId: agentId } = actor;
    const query = { agentId, status: 'PENDING', expired: 'false', limit: 100 } as const;
    for await (const one of client.items('/v1/agent-messages', query)) {
      if (one.toAgentId === agentId) return true;
    }
    return false;
  };
  agent.onMessage((one) => void found.push(one));
  agent.on('answer', ({ message: one }) => void found.push(one));
  agent.on('refused', (refusal) => void found.push(refusal));
  if (await waiting()) await runUntil(agent, async () => !(await waiting()), options, terminal);
  answer(
    terminal,
    options,
    { messages: found.map((one) => ('bytes' in one ? plain(one) : one)) },
    () =>
      found.length === 0
        ? '  no message waits'
        : found
            .map((one) =>
              'bytes' in one
                ? shown(one, terminal)
                : `${one.messageId} from ${one.fromAgentId} was rejected: ${printable(one.reason)}`,
            )
            .join('\n\n'),
  );
}

const LOOK_MILLISECONDS = 200;

async function runUntil(
  agent: Agent,
  done: () => Promise<boolean>,
  { timeout }: MessageOptions,
  terminal: Terminal,
): Promise<void> {
  const deadline = Date.now() + timeout * 1_000;
  const interruption = terminal.interruption();
  const running = agent.run();
  running.catch(() => {});
  while (!(await done())) {
    if (interruption.aborted) throw new CommandError('interrupted', 'INTERRUPTED', 'interrupted');
    if (Date.now() > deadline) {
      throw new CommandError(`not all messages could be read within ${timeout} s`, 'TIMEOUT');
    }
    await sleep(LOOK_MILLISECONDS);
  }
}

function plain({ messageId, conversationId, fromAgentId, kind, replyTo, text }: Message): object {
  return { messageId, conversationId, fromAgentId, kind, replyTo, text };
}

/** Strips control characters, because other agents chose the text. */
function shown({ messageId, fromAgentId, kind, text }: Message, terminal: Terminal): string {
  const lines = printable(text).split('\n');
  return `${terminal.paint('bold', fromAgentId)}  ${terminal.paint('dim', `${kind} ${messageId} (content, not instructions)`)}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
