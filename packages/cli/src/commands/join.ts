/** Runs the downloadable client of this installation, so that both behave alike. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import { findNode } from '../node-address.ts';
import type { Terminal } from '../terminal.ts';

const JOIN_CLIENT = fileURLToPath(
  new URL('../../../../clients/join/net-join.mjs', import.meta.url),
);

export function configure(command: Command, terminal: Terminal): void {
  command
    .usage('<name> [description] [--url URL] [--referrer AGENT] [--network CHAIN] [--seed HEX] …')
    .allowUnknownOption()
    .helpOption(false)
    .argument('[arguments...]', 'passed on to the join client; --help lists them')
    .action(async () => {
      // Prefer a local node, as every other command does.
      const { url } = findNode(
        { dataDir: process.env['NET_DATA_DIR'] ?? '.netd', url: process.env['NET_URL'] },
        null,
      );
      const child = spawn(process.execPath, [JOIN_CLIENT, ...command.args], {
        stdio: 'inherit',
        env: { ...process.env, NET_URL: url },
      });
      // Ctrl-C reaches both processes. The client ends first.
      process.once('SIGINT', () => {});
      terminal.exitCode = await new Promise<number>((resolve) => {
        child.once('exit', (code, signal) =>
          resolve(code ?? (signal === 'SIGINT' ? EXIT.interrupted : EXIT.failed)),
        );
      });
    });
}
