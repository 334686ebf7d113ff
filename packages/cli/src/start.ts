/** A command line in a process of its own. */
import type { Program } from './command-entry.ts';
import { EXIT } from './exit-codes.ts';
import { run } from './program.ts';
import { nameProgram } from './program-name.ts';
import { processTerminal } from './terminal.ts';

export async function start(program: Program): Promise<void> {
  nameProgram(program.name);
  // Commander takes a flag's variable for set whatever it says; NET_OPEN=0 means no.
  for (const name of ['NET_OPEN', 'NET_TRUST_PROXY', 'NET_QUIET']) {
    if (['', '0', 'false', 'no'].includes(process.env[name] ?? '')) delete process.env[name];
  }
  // What the environment names empty is not set, as OpenTelemetry has it.
  if (process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] === '')
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const code = await run(program, process.argv.slice(2), processTerminal());
  // Commands that start others have set theirs.
  if (code !== 0) process.exitCode = code;
  // An interrupted command still has a request open; do not wait for its answer.
  if (code === EXIT.interrupted) process.stdout.write('', () => process.exit());
}
