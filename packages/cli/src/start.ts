import { writeSync } from 'node:fs';
import type { Program } from './command-entry.ts';
import { EXIT } from './exit-codes.ts';
import { jsonText } from './printable.ts';
import { run } from './program.ts';
import { nameProgram } from './program-name.ts';
import { processTerminal, tellLauncher } from './terminal.ts';

export async function start(program: Program): Promise<void> {
  nameProgram(program.name);
  // Node exits with this status if an await can never settle.
  process.once('exit', (status) => {
    if (status === EXIT.unfinished) reportUnfinished(process.argv.includes('--json'));
  });
  const code = await run(program, process.argv.slice(2), processTerminal());
  // A command that runs another program may have set the code already.
  if (code !== 0) process.exitCode = code;
  await tellLauncher();
  if (code === EXIT.interrupted) process.stdout.write('', () => process.exit());
}

function reportUnfinished(json: boolean): void {
  const title =
    'the command ended without a result, which is a defect of netd: take it as failed, and report it';
  // Write synchronously, because streams may not flush while a process exits.
  if (json) writeSync(1, `${jsonText({ title, code: 'UNFINISHED' }, 2)}\n`);
  else writeSync(2, `netd: ${title}\n`);
}
