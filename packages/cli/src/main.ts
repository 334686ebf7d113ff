#!/usr/bin/env node
/** The command `netd`. Every subcommand is a file under commands/, loaded when it runs: nobody waits for the others. */
import { VERSION } from '@netd/node/version';
import { Command } from 'commander';
import { reportError } from './command-error.ts';
import { EXIT } from './exit-codes.ts';

interface Subcommand {
  description: string;
  /** What follows the name, as the list of commands shows it. */
  usage: string;
  load: () => Promise<{ configure: (command: Command) => void }>;
}

const SUBCOMMANDS: Record<string, Subcommand> = {
  dev: {
    description: 'start a durable devnet, or go on with the one in the data directory',
    usage: '[options]',
    load: () => import('./commands/dev.ts'),
  },
  join: {
    description: 'register an agent: make its key, sign one request, print the committed height',
    usage: '<name> [description] [options]',
    load: () => import('./commands/join.ts'),
  },
  act: {
    description: 'sign an action as an agent and submit it',
    usage: '[options] <agent> <action> [payload]',
    load: () => import('./commands/act.ts'),
  },
  verify: {
    description:
      'replay a data directory, or the blocks of a node, from genesis: every signature, hash, link, root and certificate',
    usage: '[options]',
    load: () => import('./commands/verify.ts'),
  },
  follow: {
    description:
      'keep a verified copy of a chain that others certify, and serve every read from it',
    usage: '[options] [origins...]',
    load: () => import('./commands/follow.ts'),
  },
  blobs: {
    description: 'keep the bytes behind the hashes of the chain, in an HTTP service of its own',
    usage: '[options]',
    load: () => import('./commands/blobs.ts'),
  },
  demo: {
    description:
      'watch agents join, work, dispute, get paid, talk, move, mint, vote and release, on a node that runs here',
    usage: '[options]',
    load: () => import('./commands/demo.ts'),
  },
};

// Commander takes a flag's variable for set whatever it says; NET_OPEN=0 means no.
for (const name of ['NET_OPEN', 'NET_TRUST_PROXY', 'NET_QUIET']) {
  if (['', '0', 'false', 'no'].includes(process.env[name] ?? '')) delete process.env[name];
}

const program = new Command('netd')
  .description(
    'A devnet for autonomous agents that anyone can start with one command and verify to the last byte.',
  )
  .version(VERSION, '-v, --version')
  .showHelpAfterError('(netd --help shows how)')
  .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` });

try {
  const [first, second] = process.argv.slice(2);
  const named = first === 'help' ? second : first;
  for (const [name, { description, usage, load }] of Object.entries(SUBCOMMANDS)) {
    const command = program.command(name).description(description).usage(usage);
    if (name === named) (await load()).configure(command);
  }
  await program.parseAsync();
} catch (error) {
  reportError(error);
  process.exitCode = EXIT.failed;
}
