import { didYouMean } from '@netd/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../command-error.ts';
import { defaultKeyDir, listKeys } from '../../key-store.ts';
import { answer, factsText } from '../../output.ts';
import type { Terminal } from '../../terminal.ts';

interface ShowKeyOptions {
  keyDir?: string;
  chain?: string;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .argument('<agent>', 'whose key')
    .option('--key-dir <path>', 'where keys lie (default: $NET_HOME or ~/.netd/keys)')
    .option('--chain <id>', 'of this chain, if there are several')
    .option('--json', 'print it as JSON')
    .action((agent: string, options: ShowKeyOptions) => show(agent, options, terminal));
}

function show(agent: string, options: ShowKeyOptions, terminal: Terminal): void {
  const keyDir = options.keyDir ?? defaultKeyDir();
  const { chain } = options;
  const all = listKeys(keyDir).filter(({ chainId }) => chain === undefined || chainId === chain);
  const keys = all.filter(({ actorId }) => actorId === agent);
  if (keys.length === 0) {
    const names = all.map(({ actorId }) => actorId);
    throw new UsageError(`there is no key for ${agent} in ${keyDir}${didYouMean(agent, names)}`);
  }
  answer(terminal, options, { keys }, () =>
    keys
      .map(({ actorId, chainId, path, url, publicKey, publicKeyHash, sessionId, sealed }) => {
        const facts = factsText([
          ['chain', chainId],
          sessionId === null ? null : ['session', sessionId],
          ['hash', publicKeyHash],
          ['file', `${path}${sealed ? ', sealed with a passphrase' : ''}`],
          url === null ? null : ['node', url],
        ]);
        return `${terminal.paint('bold', actorId)}\n${facts}\n${publicKey.trim()}`;
      })
      .join('\n\n'),
  );
}
