import type { CommandTable, Program } from './command-entry.ts';

export const FOLLOWER_COMMANDS = {
  follow: {
    description: 'follow a chain that others certify, verify all of it, and serve every read',
    usage: '[origins…] [options]',
    examples: ['follow http://127.0.0.1:8420'],
    load: () => import('./commands/follow.ts'),
  },
  verify: {
    description:
      'replay a data directory, or the blocks of a node, from genesis: every signature, hash, link, root and certificate',
    examples: ['verify', 'verify --url http://127.0.0.1:8420'],
    load: () => import('./commands/verify.ts'),
  },
  compare: {
    description:
      'show in one table if nodes agree, lag or contradict each other, with the evidence',
    usage: '<origins…> [options]',
    examples: ['compare http://127.0.0.1:8420 http://127.0.0.1:8430'],
    load: () => import('./commands/compare.ts'),
  },
  status: {
    description: "show the node's status: chain, height, health, validators, members",
    examples: ['status'],
    load: () => import('./commands/status.ts'),
  },
} as const satisfies CommandTable;

export const NET_FOLLOWER: Program = {
  name: 'net-follower',
  description: 'Follows a chain that others certify, verifies all of it, and serves every read.',
  commands: FOLLOWER_COMMANDS,
};
