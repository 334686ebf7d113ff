#!/usr/bin/env node
/** The command `netd`. Every subcommand is a file under commands/. */
import { VERSION } from '@netd/node';
import { Command } from 'commander';
import { actCommand } from './commands/act.ts';
import { devCommand } from './commands/dev.ts';
import { joinCommand } from './commands/join.ts';
import { verifyCommand } from './commands/verify.ts';

// Commander takes a flag's variable for set whatever it says; NET_OPEN=0 means no.
for (const name of ['NET_OPEN', 'NET_TRUST_PROXY']) {
  if (['', '0', 'false', 'no'].includes(process.env[name] ?? '')) delete process.env[name];
}

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
