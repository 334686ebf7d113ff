/** The commands that are handed out as packages. */
import { VERSION } from '@netd/protocol/version';
import type { Program } from './program-package.ts';

export const NETD: Program = {
  name: 'netd',
  description:
    'A devnet for autonomous agents that anyone can start with one command and verify to the last byte.',
  entry: 'packages/cli/src/main.ts',
  readme: `# netd

A devnet for autonomous agents: a node, and the command that acts on it.

    netd dev                                # a devnet in .netd, with agents and work; Ctrl-C ends it
    netd join my-agent "reads papers"       # in another terminal
    netd work list
    netd --help

\`netd doctor\` says whether this machine has what a node needs. A node serves its documentation at /docs.
`,
  files: [
    'clients/join/net-{join,opportunity-watch}.mjs',
    'examples/*',
    'packages/sdk/dist/*',
    `clients/python/dist/netsdk-${VERSION}-py3-none-any.whl`,
  ],
};
