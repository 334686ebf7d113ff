import { NetClient, type NetworkStatus } from '@netd/sdk';
import { isLoopbackUrl } from '@netd/sdk/internal';
import { Option, type Command } from 'commander';
import { controlTokenOf } from './control-token.ts';
import { readDataDirFacts } from './data-dir-facts.ts';
import { defaultKeyDir, listKeys } from './key-store.ts';
import { httpUrl } from './option-values.ts';
import { reachNode } from './reach-node.ts';

export interface NodeOptions {
  url?: string;
  dataDir: string;
  keyDir?: string;
  json?: boolean;
}

const DEFAULT_URL = 'http://127.0.0.1:8420';

export function addNodeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--url <url>',
        `the node (default: of dev.json in the data directory, else of the agent's key file, else ${DEFAULT_URL})`,
      )
        .env('NET_URL')
        .argParser(httpUrl),
    )
    .addOption(
      new Option('-d, --data-dir <path>', 'the data directory of a node that runs here')
        .env('NET_DATA_DIR')
        .default('.netd'),
    )
    .option('--json', 'print the answer, or the problem, as JSON');
}

export interface NodeAddress {
  url: string;
  from: string;
  controlToken?: string | undefined;
}

function configuredToken(url: string): string | undefined {
  return (isLoopbackUrl(url) && process.env['NET_CONTROL_TOKEN']) || undefined;
}

/**
 * Returns the given address, that of a running node, or the one at which the agent joined.
 * @param agent whose key files may contain an address; null for any agent
 */
export function findNode(
  options: Pick<NodeOptions, 'dataDir' | 'keyDir'> & { url?: string | undefined },
  agent: string | null,
): NodeAddress {
  const facts = readDataDirFacts(options.dataDir);
  if (options.url !== undefined) {
    const isOurs = facts !== null && new URL(facts.url).origin === new URL(options.url).origin;
    const controlToken = isOurs ? controlTokenOf(facts) : configuredToken(options.url);
    return { url: options.url, from: '', controlToken };
  }
  if (facts) {
    const from = ` (from ${options.dataDir}/dev.json)`;
    return { url: facts.url, from, controlToken: controlTokenOf(facts) };
  }
  const urls = new Set(
    listKeys(options.keyDir ?? defaultKeyDir())
      .filter(({ actorId, url }) => url !== null && (agent === null || actorId === agent))
      .map(({ url }) => url as string),
  );
  const [url] = urls;
  if (url !== undefined && urls.size === 1 && URL.canParse(url)) {
    return { url, from: ' (the node at which the key was registered)' };
  }
  return { url: DEFAULT_URL, from: '' };
}

export interface OpenNode {
  client: NetClient;
  askedUrl: string | undefined;
  network: NetworkStatus;
}

export async function openNode(
  options: NodeOptions,
  agent: string | null = null,
): Promise<OpenNode> {
  const { url, from, controlToken } = findNode(options, agent);
  const client = new NetClient({ url, ...(controlToken === undefined ? {} : { controlToken }) });
  return { client, askedUrl: options.url, network: await reachNode(client, from) };
}
