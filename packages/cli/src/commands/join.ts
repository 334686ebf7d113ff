/** `netd join`: the downloadable join client, run from the checkout. One program, so one behaviour. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

const JOIN_CLIENT = fileURLToPath(
  new URL('../../../../clients/join/net-join.mjs', import.meta.url),
);

export function configure(command: Command): void {
  command
    .usage('<name> [description] [--url URL] [--referrer AGENT] [--network CHAIN] [--seed HEX] …')
    .allowUnknownOption()
    .helpOption(false)
    .argument('[arguments...]', 'passed on to the join client; --help lists them')
    .action(async () => {
      const child = spawn(process.execPath, [JOIN_CLIENT, ...command.args], { stdio: 'inherit' });
      process.exitCode = await new Promise<number>((resolve) => {
        child.once('exit', (code) => resolve(code ?? 1));
      });
    });
}
