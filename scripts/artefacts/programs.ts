/** Commands that are published as packages. */
import { NETD as NETD_COMMAND, NET_FOLLOWER as FOLLOWER_COMMAND } from '@netd/cli';
import { VERSION } from '@netd/protocol/version';
import type { ProgramPackage } from './program-package.ts';

/** A follower only, without chain keys, house, stores, signer and SDKs. */
export const NET_FOLLOWER: ProgramPackage = {
  command: FOLLOWER_COMMAND,
  entry: 'packages/cli/src/follower.ts',
  readme: `# net-follower

Follows a chain of netd and serves every read: nothing that the nodes say is believed, all of it is checked.

    net-follower follow https://node.example --genesis-hash HASH    # port 8430, in .netd-follow
    net-follower status --url http://127.0.0.1:8430
    net-follower verify --data-dir .netd-follow                     # all of it again, from genesis
    net-follower compare https://node.example http://127.0.0.1:8430

Take HASH from a source that you trust: without it the first node that is asked says which chain it is. \`net-follower follow --help\`
has the other options; the guide is at /docs/guides/follow of every node, your follower included.
`,
  files: ['clients/join/net-{join,opportunity-watch}.mjs'],
};

export const NETD: ProgramPackage = {
  command: NETD_COMMAND,
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
    'handouts/launch-kit/deploy/{netd@.service,validator.json}',
    'packages/sdk/dist/net-sdk*',
    `clients/python/dist/netsdk-${VERSION}-py3-none-any.whl`,
  ],
};
