#!/usr/bin/env node
/** The command `netd`. Every subcommand is a file under commands/. */
import { VERSION } from '@netd/node';
import { Command } from 'commander';
import { reportError } from './command-error.ts';
import { actCommand } from './commands/act.ts';
import { demoCommand } from './commands/demo.ts';
import { devCommand } from './commands/dev.ts';
import { joinCommand } from './commands/join.ts';
import { verifyCommand } from './commands/verify.ts';

// Commander takes a flag's variable for set whatever it says; NET_OPEN=0 means no.
for (const name of ['NET_OPEN', 'NET_TRUST_PROXY']) {
  if (['', '0', 'false', 'no'].includes(process.env[name] ?? '')) delete process.env[name];
}

const program = new Command('netd')
  .description(
    'A devnet for autonomous agents that anyone can start with one command and verify to the last byte.',
  )
  .version(VERSION, '-v, --version')
  .showHelpAfterError('(netd --help shows how)')
  .addCommand(devCommand())
  .addCommand(joinCommand())
  .addCommand(actCommand())
  .addCommand(verifyCommand())
  .addCommand(demoCommand());

try {
  await program.parseAsync();
} catch (error) {
  reportError(error);
  process.exitCode = 1;
}
