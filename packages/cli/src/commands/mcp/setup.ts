import { netText } from '@netd/protocol';
import { copyFileSync, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { replaceFile, writeOnce } from '@netd/engine/durable-file';
import { clientConfig, serverName, type ServerEntry } from '@netd/mcp-signer';
import { installLinks } from '@netd/sdk/internal';
import { Option, type Command } from 'commander';
import { onlyAgent } from '../../acting-agent.ts';
import { requireAgentName } from '../../agent-name.ts';
import { namedOrigins } from '../../blob-origins.ts';
import { CommandError, UsageError } from '../../command-error.ts';
import { isConfirmed } from '../../confirm.ts';
import { defaultKeyDir, keyPath } from '../../key-store.ts';
import { requireAction } from '../../known-action.ts';
import {
  changeFor,
  CLIENT_NAMES,
  clientsHere,
  type ClientName,
  type ConfigChange,
} from '../../mcp-clients.ts';
import {
  grantModelSession,
  newSessionId,
  openOrJoin,
  type PlannedSession,
} from '../../mcp-session.ts';
import { tryServer } from '../../mcp-trial.ts';
import { openNode } from '../../node-address.ts';
import { addAgentOptions, type AgentCommandOptions } from '../../open-agent.ts';
import { amount, wholeNumber } from '../../option-values.ts';
import { answer } from '../../output.ts';
import { programName, sameNode } from '../../program-name.ts';
import { MODEL_ACTIONS, SESSION_BLOCKS, SESSION_BUDGET } from '../../session-defaults.ts';
import type { Terminal } from '../../terminal.ts';

interface SetupOptions extends AgentCommandOptions {
  client?: string;
  actions: string;
  budget: number;
  maxAmount?: number;
  blocks: number;
  askAbove: number;
  policy?: string;
  yes?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  addAgentOptions(
    command
      .argument('[agent]', 'its name; created and registered if there is no key for it')
      .argument('[description]', 'what it says of itself; public')
      .option(
        '--client <names>',
        `with commas between: ${CLIENT_NAMES.join(', ')}, or none (default: those found here)`,
      )
      .option(
        '--actions <names>',
        'what the model may do, with commas between',
        MODEL_ACTIONS.join(','),
      )
      .addOption(amountOption('--budget <amount>', 'what it may spend in all', SESSION_BUDGET))
      .option('--max-amount <amount>', 'what one action may spend', amount)
      .option('--blocks <number>', 'how long it lasts', wholeNumber(1, 10_000_000), SESSION_BLOCKS)
      .addOption(amountOption('--ask-above <amount>', 'what may go in all before you are asked', 0))
      .option('--policy <file>', 'limits per call, hour and day, recipients, what always asks')
      .option('-y, --yes', 'without asking'),
  ).action((agentId: string | undefined, description: string | undefined, options: SetupOptions) =>
    setup({ agentId, description }, options, terminal),
  );
}

const amountOption = (flags: string, description: string, unet: number): Option =>
  new Option(flags, description).argParser(amount).default(unet, netText(unet));

interface Plan extends PlannedSession {
  entry: ServerEntry;
  changes: ConfigChange[];
  left: string[];
}

async function setup(
  named: { agentId: string | undefined; description: string | undefined },
  options: SetupOptions,
  terminal: Terminal,
): Promise<void> {
  const plan = await planOf(named, options);
  if (options.yes !== true) await confirm(plan, options, terminal);
  const opened = await openOrJoin(plan, options, terminal);
  let balance: number;
  try {
    await grantModelSession(plan, options, opened);
    const { agentId } = plan;
    ({ balance } = (await opened.client.read('/v1/agents/{agentId}', { agentId })).account);
  } finally {
    await opened.agent.stop();
  }
  const backups = plan.changes.map(write);
  const status = (await tryServer(plan.entry, 'agent_status')) as { agentId?: string };
  const { agentId, sessionPath, entry, changes, left } = plan;
  if (status.agentId !== agentId) {
    throw new CommandError('the server acts for another agent', 'TRIAL_FAILED');
  }
  const files = changes.map(({ path }) => path);
  const links = installLinks(serverName(agentId), entry);
  const there = sameNode(options.url);
  const done = { agentId, session: sessionPath, files, links, server: entry, status };
  answer(terminal, options, done, () =>
    [
      `${agentId} is ready for a model: agent_status answered.`,
      `  session  ${sessionPath}`,
      ...changes.map(({ title, path }, index) => {
        const backup = backups[index];
        return `  wrote    ${path}  (${title}${backup ? `; as it was: ${backup}` : ''}); start it anew`;
      }),
      ...left.map((line) => `  left     ${line}`),
      ...(changes.length === 0 ? ['  paste    into your client:', configText(plan)] : []),
      ...(changes.length === 0
        ? links.map(({ client, url }) => `  or open  in ${client}: ${url}`)
        : []),
      ...(balance === 0
        ? [
            `  money    it has none yet: ${programName()} faucet 5NET --as ${agentId}${there}, or let it work`,
          ]
        : []),
      `  end      ${programName()} sessions revoke ${plan.sessionId} --as ${agentId}${there}`,
    ].join('\n'),
  );
}

async function planOf(
  named: { agentId: string | undefined; description: string | undefined },
  options: SetupOptions,
): Promise<Plan> {
  if (options.key !== undefined) {
    throw new UsageError(
      'a session is granted with the key of the agent: name its directory with --key-dir',
    );
  }
  const actions = options.actions.split(',');
  for (const name of actions) requireAction(name);
  const asked = named.agentId ?? options.as ?? null;
  if (asked !== null) requireAgentName(asked);
  const { client, network } = await openNode(options, asked);
  const { chainId } = network;
  const agentId = asked ?? onlyAgent(options, chainId, 'mcp setup NAME');
  const keyDir = resolve(options.keyDir ?? defaultKeyDir());
  const sessionId = newSessionId();
  const sessionPath = join(keyDir, chainId, `${agentId}.session-${sessionId}.json`);
  const [, launcher = 'netd'] = process.argv;
  const blobs = namedOrigins(options);
  const entry = {
    command: process.execPath,
    args: [
      launcher,
      'mcp',
      '--session',
      sessionPath,
      ...(options.policy === undefined ? [] : ['--policy', resolve(options.policy)]),
      '--ask-above',
      netText(options.askAbove),
      ...(blobs ? ['--blobs', ...blobs] : []),
      '--key-dir',
      keyDir,
    ],
    env: { NET_URL: client.url },
  };
  const changes: ConfigChange[] = [];
  const left: string[] = [];
  const places = {
    home: homedir(),
    cwd: process.cwd(),
    platform: process.platform,
    env: process.env,
  };
  for (const name of wantedClients(options.client) ?? clientsHere(places)) {
    try {
      changes.push(changeFor(name, places, serverName(agentId), entry));
    } catch (error) {
      left.push(`the configuration of ${name}: ${(error as Error).message}`);
    }
  }
  const isNew = !existsSync(keyPath(keyDir, chainId, agentId));
  const { description } = named;
  const { url } = client;
  const of = { agentId, description, chainId, url, isNew, sessionId, sessionPath };
  return { ...of, actions, entry, changes, left };
}

function wantedClients(names: string | undefined): ClientName[] | null {
  if (names === undefined) return null;
  if (names === 'none') return [];
  return names.split(',').map((name) => {
    if ((CLIENT_NAMES as string[]).includes(name)) return name as ClientName;
    throw new UsageError(`${name} is none of ${CLIENT_NAMES.join(', ')}, none`);
  });
}

async function confirm(plan: Plan, options: SetupOptions, terminal: Terminal): Promise<void> {
  const { agentId, chainId, url, isNew, actions, changes, left, sessionPath } = plan;
  const own = isNew
    ? `Make a key for ${agentId}, register it on ${chainId} (${url}), and publish the key that others seal to.`
    : `Take the key of ${agentId} on ${chainId} (${url}), and publish the key that others seal to where it is not.`;
  terminal.note(
    [
      own,
      `Grant a session: ${actions.join(', ')}; ${netText(options.budget)} in all, ${options.blocks} blocks. Its file: ${sessionPath}`,
      ...changes.map(changeText),
      ...left.map((line) => `Left alone, ${line}.`),
    ].join('\n'),
  );
  if (terminal.input.isTTY !== true) {
    throw new UsageError('nothing was done: there is no terminal to ask at, pass --yes');
  }
  if (await isConfirmed(terminal, 'Do this?')) return;
  throw new CommandError('nothing was done', 'NOT_CONFIRMED', 'interrupted');
}

function changeText({ title, path, before, after }: ConfigChange): string {
  const old = new Set((before ?? '').split('\n'));
  const added = after.split('\n').filter((line) => line.trim() !== '' && !old.has(line));
  const head = before === null ? `Write ${path} (${title}):` : `Add to ${path} (${title}):`;
  return [head, ...added.map((line) => `  + ${line}`)].join('\n');
}

/**
 * @returns the path of the backup; null if there was no file
 * @throws CommandError CONFIG_CHANGED if the file differs from the one shown
 */
function write({ path, before, after }: ConfigChange): string | null {
  if (before === null) {
    writeOnce(path, after, 0o600);
    if (readFileSync(path, 'utf8') !== after) throw changedMeanwhile(path);
    return null;
  }
  // Resolve symbolic links, so that the link itself is kept.
  const file = realpathSync(path);
  if (readFileSync(file, 'utf8') !== before) throw changedMeanwhile(path);
  let count = 1;
  while (existsSync(`${path}.before-netd-${count}`)) count++;
  const backup = `${path}.before-netd-${count}`;
  copyFileSync(file, backup);
  replaceFile(file, after, statSync(file).mode & 0o777);
  return backup;
}

const changedMeanwhile = (path: string): CommandError =>
  new CommandError(
    `${path} was changed meanwhile; it is as it was: run this again`,
    'CONFIG_CHANGED',
  );

const configText = ({ agentId, entry: { command, args, env } }: Plan): string =>
  clientConfig({ agentId, program: [command, args[0] ?? ''], args: args.slice(2), env });
