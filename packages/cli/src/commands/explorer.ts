import { spawn } from 'node:child_process';
import { NetClient } from '@netd/sdk';
import { serveExplorer } from '@netd/server';
import { Option, type Command } from 'commander';
import { UsageError } from '../command-error.ts';
import { addNodeOptions, findNode, type NodeOptions } from '../node-address.ts';
import { wholeNumber } from '../option-values.ts';
import { reachNode } from '../reach-node.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../terminal.ts';
import { answer } from '../output.ts';

interface ExplorerOptions extends NodeOptions {
  port: number;
  open: boolean;
}

/** Listens only locally, because this server could change a wallet page. */
const HOST = '127.0.0.1';

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(command)
    .addOption(
      new Option('-p, --port <number>', 'port of this machine to listen on, 0 for any free one')
        .default(8450)
        .argParser(wholeNumber(0, 65_535)),
    )
    .option('--no-open', 'do not open a browser')
    .action((options: ExplorerOptions) => explorer(options, terminal));
}

async function explorer(options: ExplorerOptions, terminal: Terminal): Promise<void> {
  const { url, from } = findNode(options, null);
  const { origin, pathname, username } = new URL(url);
  const node = `${origin}${pathname}`.replace(/\/+$/, '');
  if (username !== '') {
    throw new UsageError(`the page asks the node without a name or password: write --url ${node}`);
  }
  const network = await reachNode(new NetClient({ url: node }), from);
  const served = await serveExplorer(node, { host: HOST, port: options.port });
  const { chainId } = network;
  answer(terminal, options, { url: served.url, node, chainId }, () =>
    [
      `${terminal.paint('bold', chainId)} of ${node}, shown at ${served.url}`,
      '  This installation serves the page, so no other server controls the wallet in it.',
      '  Its data comes from that node. Your browser checks everything that the page marks as checked.',
      '  Ctrl-C ends it.',
    ].join('\n'),
  );
  if (options.open && options.json !== true && process.stdout.isTTY) openBrowser(served.url);
  await stopSignal();
  await served.stop();
}

function openBrowser(url: string): void {
  const programs: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'open',
    win32: 'explorer.exe',
  };
  spawn(programs[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
