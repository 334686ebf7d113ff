/** `netd testnet --files` writes what several hosts need to run a testnet together, a directory for each. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { writeOnce } from '@netd/engine/durable-file';
import { newChainId } from '@netd/node/chain-ids';
import { beginChainOfMany, makeValidatorKeys } from '@netd/node/founders';
import { InvalidArgumentError } from 'commander';
import { CommandError } from '../command-error.ts';

const KIT = new URL('../../../../handouts/launch-kit/deploy/', import.meta.url);
const UNIT = 'netd@.service';
const CONFIG = 'validator.json';
/** Default of CometBFT. */
const DEFAULT_PORT = '26656';
const MOST_HOSTS = 16;

interface Host {
  name: string;
  port: string;
}

/** Parses names or IPv4 addresses, each with a port of its engine if it is not the usual one. */
export function hosts(text: string): Host[] {
  const named = text.split(',').map((each): Host => {
    const [, name, port = DEFAULT_PORT] =
      /^([a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?)(?::(\d{1,5}))?$/i.exec(each.trim()) ?? [];
    if (name === undefined || Number(port) < 1 || Number(port) > 65_535) {
      throw new InvalidArgumentError(
        `"${each.trim()}" is no host name: a.example,b.example:26656.`,
      );
    }
    return { name, port };
  });
  if (named.length > MOST_HOSTS) throw new InvalidArgumentError(`At most ${MOST_HOSTS} hosts.`);
  if (new Set(named.map(folderOf)).size < named.length) {
    throw new InvalidArgumentError('A host is named twice.');
  }
  return named;
}

/** Parses a name or an address without a port. */
export function listenAddress(text: string): string {
  if (isIP(text) !== 0 || /^[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i.test(text)) return text;
  throw new InvalidArgumentError('An address without a port is needed: 0.0.0.0, ::, or a name.');
}

const folderOf = ({ name, port }: Host): string =>
  port === DEFAULT_PORT ? name : `${name}-${port}`;

/**
 * Writes keys, genesis, configuration and unit of each host. The caller holds the lock of the directory.
 * @returns the steps that follow
 */
export function writeHosts(
  directory: string,
  named: readonly Host[],
  { now, listen }: { now: number; listen: string },
): string {
  const root = resolve(directory);
  if (existsSync(join(root, 'operator')) || existsSync(join(root, 'testnet.json'))) {
    throw new CommandError(`${root} has a testnet already: name another --dir`);
  }
  const chainId = newChainId();
  const cards = named.map((host, index) => {
    const name = `validator-${index + 1}`;
    const address = `${host.name}:${host.port}`;
    const facts = { chainId, validatorId: name, faultDomain: host.name, address };
    return {
      file: folderOf(host),
      card: makeValidatorKeys(join(root, folderOf(host), 'chain'), facts),
    };
  });
  const operator = join(root, 'operator');
  mkdirSync(operator, { mode: 0o700 });
  const genesis = beginChainOfMany(operator, cards, { now });
  const peers = cards.map(({ card }) => card.peer);
  for (const host of named) {
    const folder = join(root, folderOf(host));
    const { publicUrl: _, trustProxy: _proxy, ...template } = JSON.parse(kit(CONFIG)) as Template;
    const [, metricsPort = ''] = /:(\d+)$/.exec(String(template['metricsListen'])) ?? [];
    const metricsListen = `${isIP(listen) === 6 ? `[${listen}]` : listen}:${metricsPort}`;
    const p2p = `0.0.0.0:${host.port}`;
    const config = { ...template, p2p, peers, host: listen, metricsListen };
    writeOnce(join(folder, CONFIG), `${JSON.stringify(config, null, 2)}\n`, 0o644);
    writeOnce(join(folder, 'genesis.json'), `${JSON.stringify(genesis, null, 2)}\n`, 0o644);
    writeOnce(join(folder, UNIT), kit(UNIT), 0o644);
  }
  const steps = stepsText(chainId, named);
  writeOnce(join(root, 'README.md'), steps, 0o644);
  return steps;
}

type Template = Record<string, unknown>;

const kit = (name: string): string => readFileSync(new URL(name, KIT), 'utf8');

function stepsText(chainId: string, named: readonly Host[]): string {
  return `# ${chainId}

**All keys were made on one machine**, this one: anyone who can read this folder can sign for every validator. That is right for a
test of separate hosts. For a network that others rely on, let each founder make their own keys: netd engine init and
netd genesis new --validators, as docs/operations.md says under "Several machines".

| Folder | For |
| ------ | --- |
${named.map((host) => `| ${folderOf(host)} | ${host.name} |`).join('\n')}
| operator | you: the key of the operator, for no host |

On each host, with netd and the user netd, as root from the folder of that host:

    install -d -m 0755 /etc/netd && install -m 0644 validator.json genesis.json /etc/netd/
    install -d -o netd -g netd -m 0700 /var/lib/netd && cp -r chain /var/lib/netd/ && chown -R netd:netd /var/lib/netd/chain
    install -m 0644 netd@.service /etc/systemd/system/
    export NET_ENGINE_DIR=/var/lib/netd/engines && netd engine install
    sudo -u netd env NET_ENGINE_DIR=$NET_ENGINE_DIR netd run --config /etc/netd/validator.json --only-here

The last line confirms that this key signs on no other host. Run it once, and stop the node when it answers. From then on,
systemctl enable --now netd@validator starts it. Then delete the folder chain of that host here, because a second
start with it would sign twice, which is punished. Open port ${named[0]?.port ?? DEFAULT_PORT} for the other hosts only.
`;
}
