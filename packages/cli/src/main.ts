#!/usr/bin/env node
/** The command `netd`. Every subcommand is a file under commands/. */
import { availableParallelism } from 'node:os';
import { Command } from 'commander';

// Signatures are verified on this pool; more threads than cores only take time from the thread that makes blocks.
process.env['UV_THREADPOOL_SIZE'] ??= String(Math.max(2, availableParallelism()));

// Commander takes a flag's variable for set whatever it says; NET_OPEN=0 means no.
for (const name of ['NET_OPEN', 'NET_TRUST_PROXY']) {
  if (['', '0', 'false', 'no'].includes(process.env[name] ?? '')) delete process.env[name];
}

const { actCommand } = await import('./commands/act.ts');
const { devCommand } = await import('./commands/dev.ts');
const { joinCommand } = await import('./commands/join.ts');
const { verifyCommand } = await import('./commands/verify.ts');
const { VERSION } = await import('@netd/node');

/** Errors that are sentences for the person at the terminal; anything else is a defect and shows its stack. */
const KNOWN_ERRORS = new Set([
  'DataDirError',
  'ServeError',
  'StoreError',
  'NetError',
  'CommandError',
]);

const program = new Command('netd')
  .description(
    'A devnet for autonomous agents that anyone can start with one command and verify to the last byte.',
  )
  .version(VERSION, '-v, --version')
  .showHelpAfterError('(netd --help shows how)')
  .addCommand(devCommand())
  .addCommand(joinCommand())
  .addCommand(actCommand())
  .addCommand(verifyCommand());

try {
  await program.parseAsync();
} catch (error) {
  const known = error instanceof Error && KNOWN_ERRORS.has(error.name);
  console.error(known ? `netd: ${error.message}` : error);
  process.exitCode = 1;
}
