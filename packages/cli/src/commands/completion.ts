import { fileURLToPath } from 'node:url';
import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion/scripts.ts';
import type { Terminal } from '../terminal.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/netd.mjs', import.meta.url));

export function configure(command: Command, terminal: Terminal): void {
  command
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .option('--json', 'print the script as a JSON object')
    .action((shell: Shell, { json }: { json?: boolean }) => {
      const script = completionScript(shell, LAUNCHER);
      terminal.print(json === true ? JSON.stringify({ shell, script }) : script);
    });
}
