import type { Command } from 'commander';
import { defaultKeyDir, isOpenToOthers, listKeys, type KeyEntry } from '../../key-store.ts';
import { answer, listText } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface KeysOptions {
  keyDir?: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .option('--key-dir <path>', 'where keys lie (default: $NET_HOME or ~/.netd/keys)')
    .option('--json', 'print the list as JSON')
    .action((options: KeysOptions) => list(options, terminal));
}

function list(options: KeysOptions, terminal: Terminal): void {
  const keyDir = options.keyDir ?? defaultKeyDir();
  const keys = listKeys(keyDir);
  answer(terminal, options, { keyDir, keys }, () =>
    listText(
      terminal,
      ['AGENT', 'CHAIN', 'KEY', 'KIND', 'NODE', 'FILE'],
      keys.map((key) => [
        key.actorId,
        key.chainId,
        `${key.publicKeyHash.slice(0, 16)}…`,
        kindOf(key),
        key.url ?? '',
        key.path,
      ]),
      { empty: `no keys in ${keyDir}` },
    ),
  );
}

function kindOf({ path, sessionId, sealed }: KeyEntry): string {
  return [
    sessionId === null ? 'agent' : `session ${sessionId}`,
    ...(sealed ? ['with passphrase'] : []),
    ...(isOpenToOthers(path) ? ['OPEN TO OTHERS: chmod 600'] : []),
  ].join(', ');
}
