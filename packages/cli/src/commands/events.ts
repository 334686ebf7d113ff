import { compareEventIds, didYouMean } from '@netd/protocol';
import { NetError, type NetClient, type NetEvent } from '@netd/sdk';
import { InvalidArgumentError, type Command } from 'commander';
import { CommandError, UsageError } from '../command-error.ts';
import { eventFacts } from '../event-text.ts';
import { EXIT } from '../exit-codes.ts';
import { addNodeOptions, openNode, type NodeOptions } from '../node-address.ts';
import { wholeNumber } from '../option-values.ts';
import { jsonText } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

interface EventsOptions extends NodeOptions {
  follow?: boolean;
  agent?: string;
  order?: string;
  type?: string;
  after?: string;
  limit: number;
}

type PastEvent = Omit<NetEvent, 'cursor'>;
type EventType = Exclude<Parameters<typeof readPage>[1]['type'], undefined>;

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(
    command
      .option('-f, --follow', 'go on with what happens, until Ctrl-C')
      .option('--agent <agent>', 'only what names this agent')
      .option('--order <order>', 'only what names this work order')
      .option('--type <type>', 'only events of this type')
      .option('--after <id>', 'begin behind this event, 0.0 for genesis', eventId)
      .option('--limit <number>', 'how many of those before now', wholeNumber(0, 1_000), 20),
  ).action((options: EventsOptions) => events(options, terminal));
}

async function events(options: EventsOptions, terminal: Terminal): Promise<void> {
  const { client, network } = await openNode(options);
  const { agent, order, type } = options;
  // Listen before the first line, because its reader may press Ctrl-C.
  const signal = options.follow === true ? terminal.interruption() : null;
  const filter = { agent, order, type: type as EventType | undefined };
  let past: PastEvent[];
  try {
    past = await recent(client, network.height, filter, options);
  } catch (error) {
    throw await explained(error, client, type);
  }
  const show = (event: PastEvent): void =>
    terminal.print(options.json === true ? jsonText(event) : line(event, terminal));
  for (const event of past) show(event);
  if (signal === null) {
    if (past.length === 0 && options.json !== true) terminal.print('  nothing of this kind yet');
    return;
  }
  const after = past.at(-1)?.id ?? options.after ?? `${network.height}.65535`;
  const named = Object.entries(filter).filter(([, value]) => value !== undefined);
  const { genesisHash } = network;
  const followed = { ...Object.fromEntries(named), after, genesisHash, signal };
  for await (const event of client.events(followed)) {
    show(event);
  }
  terminal.exitCode = EXIT.interrupted;
}

interface Filter {
  agent: string | undefined;
  order: string | undefined;
  type: EventType | undefined;
}

async function readPage(
  client: NetClient,
  parameters: Parameters<typeof client.read<'/v1/events'>>[1] & object,
): Promise<{ events: PastEvent[]; next: string; more: boolean }> {
  return client.read('/v1/events', parameters);
}

/**
 * Returns the last events, oldest first; with `after`, the first events after it.
 * @throws CommandError if a page's cursor repeats
 */
export async function recent(
  client: NetClient,
  height: number,
  filter: Filter,
  { after, limit }: Pick<EventsOptions, 'after' | 'limit'>,
): Promise<PastEvent[]> {
  if (limit === 0) return [];
  if (after !== undefined) return (await readPage(client, { ...filter, after, limit })).events;
  // The feed only goes forward, so widen the range before the head until it has enough events.
  for (let span = 50; ; span *= 20) {
    const found: PastEvent[] = [];
    let cursor = span >= height ? '0.0' : `${height - span}.0`;
    for (let more = true; more;) {
      const page = await readPage(client, { ...filter, after: cursor, limit: 1_000 });
      found.push(...page.events);
      found.splice(0, found.length - limit);
      if (page.more && !(compareEventIds(page.next, cursor) > 0))
        throw new CommandError(
          `the events of ${client.url} have no end: the page behind ${cursor} leads to ${page.next}. Try another node.`,
        );
      [cursor, more] = [page.next, page.more];
    }
    if (found.length >= limit || span >= height) return found.slice(-limit);
  }
}

function line(event: PastEvent, terminal: Terminal): string {
  const { id, type } = event;
  return `${terminal.paint('dim', id.padStart(9))}  ${terminal.paint('cyan', type.padEnd(26))}  ${eventFacts(event)}`;
}

async function explained(
  error: unknown,
  client: NetClient,
  type: string | undefined,
): Promise<unknown> {
  if (!(error instanceof NetError) || type === undefined || error.code !== 'PARAMETER_INVALID') {
    return error;
  }
  const description = await client.get<{
    paths: Record<string, { get: { parameters: { name: string; schema: { enum?: string[] } }[] } }>;
  }>('/openapi.json');
  const types = description.paths['/v1/events']?.get.parameters.find(({ name }) => name === 'type');
  const words = types?.schema.enum ?? [];
  if (words.includes(type)) return error;
  return new UsageError(`there are no events of the type ${type}${didYouMean(type, words)}`);
}

function eventId(text: string): string {
  if (!/^\d{1,15}\.\d{1,5}$/.test(text)) {
    throw new InvalidArgumentError('An event id is needed, for example 12.0.');
  }
  return text;
}
