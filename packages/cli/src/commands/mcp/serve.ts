import { netText } from '@netd/protocol';
import { resolve } from 'node:path';
import {
  clientConfig,
  NO_POLICY,
  readPolicyFile,
  readSessionFile,
  serveSigner,
  SignerError,
} from '@netd/mcp-signer';
import { VERSION } from '@netd/protocol/version';
import { AgentError } from '@netd/sdk';
import { unetOf } from '@netd/sdk/internal';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandError, UsageError } from '../../command-error.ts';
import { SESSION_BUDGET } from '../../session-defaults.ts';
import { httpUrl } from '../../option-values.ts';
import type { Terminal } from '../../terminal.ts';

interface McpOptions {
  session?: string;
  as?: string;
  budget: number;
  url: string;
  askAbove?: number;
  policy?: string;
  blobs?: string[];
  keyDir?: string;
  printConfig?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .addOption(
      new Option('--session <file>', 'the session file; never the key file of the agent').env(
        'NET_SESSION',
      ),
    )
    .addOption(
      new Option(
        '--as <agent>',
        'in its place an agent whose key is here: under the session beside it; both are created if they do not exist',
      ).env('NET_AGENT'),
    )
    .addOption(
      new Option('--budget <amount>', 'what a session that --as makes may spend in all')
        .env('NET_MCP_BUDGET')
        .default(SESSION_BUDGET, netText(SESSION_BUDGET))
        .argParser(amount),
    )
    .addOption(
      new Option('--url <url>', 'the node')
        .env('NET_URL')
        .default('http://127.0.0.1:8420')
        .argParser(httpUrl),
    )
    .addOption(
      new Option(
        '--ask-above <amount>',
        'what may be spent in all without asking the owner (default: as the policy says, else 0 NET)',
      )
        .env('NET_ASK_ABOVE')
        .argParser(amount),
    )
    .addOption(
      new Option(
        '--policy <file>',
        'limits per call, hour and day, recipients, what always asks',
      ).env('NET_MCP_POLICY'),
    )
    .option('--blobs <origins...>', 'origins of netd blobs (default: those the network announces)')
    .addOption(
      new Option('--key-dir <path>', 'beside it the state of the session is kept').env('NET_HOME'),
    )
    .option('--print-config', 'print what to paste into the configuration of an MCP client')
    .action((options: McpOptions) => mcp(options, terminal));
}

function amount(text: string): number {
  try {
    return unetOf(text, 'amount');
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

async function read<Content>(
  path: string,
  reader: (path: string) => Promise<Content>,
): Promise<Content> {
  return reader(path).catch((error: unknown) => {
    if (!(error instanceof SignerError) && !(error instanceof AgentError)) throw error;
    throw new CommandError(`${path}: ${error.message}`, error.code);
  });
}

async function sessionPath(
  { session, as, ...how }: McpOptions,
  terminal: Terminal,
): Promise<string> {
  if (session !== undefined) return resolve(session);
  if (as !== undefined) {
    const { ownSession } = await import('../../mcp-session.ts');
    return ownSession(as, how, terminal);
  }
  throw new UsageError('who acts? Name a session file with --session, or an agent with --as');
}

async function mcp(options: McpOptions, terminal: Terminal): Promise<void> {
  const { url, blobs, keyDir } = options;
  const path = await sessionPath(options, terminal);
  const session = await read(path, readSessionFile);
  const policyPath = options.policy === undefined ? null : resolve(options.policy);
  const { policy, askAbove: byPolicy } =
    policyPath === null
      ? { policy: NO_POLICY, askAbove: null }
      : await read(policyPath, readPolicyFile);
  const askAbove = options.askAbove ?? byPolicy ?? 0;
  if (options.printConfig === true) {
    const [, launcher = 'netd'] = process.argv;
    const text = clientConfig({
      agentId: session.actorId,
      program: [process.execPath, launcher],
      args: [
        '--session',
        path,
        ...(policyPath === null ? [] : ['--policy', policyPath]),
        ...(policyPath !== null && options.askAbove === undefined
          ? []
          : ['--ask-above', netText(askAbove)]),
        ...(blobs ? ['--blobs', ...blobs] : []),
        ...(keyDir === undefined ? [] : ['--key-dir', resolve(keyDir)]),
      ],
      env: { NET_URL: url },
    });
    terminal.print(text);
    return;
  }
  await serveSigner({
    session,
    url,
    askAbove,
    policy,
    version: VERSION,
    note: (line) => terminal.note(`netd: ${line}`),
    ...(blobs ? { blobs } : {}),
    ...(keyDir === undefined ? {} : { keys: keyDir }),
  });
}
