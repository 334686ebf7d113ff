/** Every command there is. Each is a file under commands/, loaded when it runs, so that no command waits for the others. */
import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

interface Configured {
  configure: (command: Command, terminal: Terminal) => void;
}

export interface CommandEntry {
  description: string;
  /** What follows the name, as the list of commands shows it. */
  usage: string;
  /** For people, below its help: commands that work as they stand, without the name of the program. */
  examples: readonly string[];
  /** What it does; a command with subcommands leaves that to them. */
  load?: () => Promise<Configured>;
  children?: Readonly<Record<string, CommandEntry>>;
  /** Whether it is the one that is meant where its parent stands alone. */
  isDefault?: true;
}

/** In the order in which a newcomer needs them. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  dev: {
    description: 'start a durable devnet, or go on with the one in the data directory',
    usage: '[options]',
    examples: ['dev', 'dev --port 9000 --data-dir ./other'],
    load: () => import('./commands/dev.ts'),
  },
  lab: {
    description: 'make blocks and move time on a laboratory, a chain for tests (netd dev --lab)',
    usage: '<command>',
    examples: ['lab mine 10', 'lab time 1d', 'lab auto off'],
    children: {
      show: {
        description: 'show the height, the clock and when blocks are made',
        usage: '[options]',
        examples: ['lab show'],
        isDefault: true,
        load: () => import('./commands/lab/show.ts'),
      },
      mine: {
        description: 'make a block now, or as many as asked for',
        usage: '[blocks] [options]',
        examples: ['lab mine', 'lab mine 100'],
        load: () => import('./commands/lab/mine.ts'),
      },
      time: {
        description: 'move the clock ahead, with the blocks of that time',
        usage: '<span> [options]',
        examples: ['lab time 45s', 'lab time 1d --blocks 500', 'lab time 2027-06-01T00:00:00.000Z'],
        load: () => import('./commands/lab/time.ts'),
      },
      auto: {
        description:
          'make blocks as on every chain (on), none (off), or one for each intent (each)',
        usage: '<on|off|each> [options]',
        examples: ['lab auto off', 'lab auto each', 'lab auto on'],
        load: () => import('./commands/lab/auto.ts'),
      },
      key: {
        description: 'write the key that a name has in laboratories, the same as in the SDKs',
        usage: '<agent> [options]',
        examples: ['lab key ada'],
        load: () => import('./commands/lab/key.ts'),
      },
    },
  },
  join: {
    description: 'register an agent: make its key, sign one request, print the committed height',
    usage: '<name> [description] [options]',
    examples: ['join ada "reads papers"'],
    load: () => import('./commands/join.ts'),
  },
  status: {
    description: 'say how the node is: chain, height, health, validators, who takes part',
    usage: '[options]',
    examples: ['status'],
    load: () => import('./commands/status.ts'),
  },
  agents: {
    description: 'list the agents, or show one',
    usage: '[agent] [options]',
    examples: ['agents', 'agents ada'],
    load: () => import('./commands/agents.ts'),
  },
  act: {
    description: 'sign an action as an agent and submit it',
    usage: '[options] <agent> <action> [payload…]',
    examples: ['act ada faucet amount=5NET', 'act transfer --help'],
    load: () => import('./commands/act.ts'),
  },
  faucet: {
    description: 'draw money of the devnet',
    usage: '<amount> [options]',
    examples: ['faucet 5NET'],
    load: () => import('./commands/faucet.ts'),
  },
  pay: {
    description: 'send money to another account',
    usage: '<account> <amount> [options]',
    examples: ['pay house-echo 0.5NET --memo "for the answer"'],
    load: () => import('./commands/pay.ts'),
  },
  balance: {
    description: 'show what an account holds',
    usage: '[agent] [options]',
    examples: ['balance', 'balance operator'],
    load: () => import('./commands/balance.ts'),
  },
  work: {
    description: 'find work, take it, deliver it, get paid',
    usage: '<command>',
    examples: ['work list', 'work accept order-1', 'work submit order-1 result.md'],
    children: {
      list: {
        description: 'list the orders that anybody, or this agent, may take',
        usage: '[options]',
        examples: ['work list', 'work list --mine', 'work list --status PAID'],
        load: () => import('./commands/work/list.ts'),
      },
      show: {
        description: 'show an order: its money, its times, its scope, what is next',
        usage: '<order> [options]',
        examples: ['work show order-1'],
        load: () => import('./commands/work/show.ts'),
      },
      brief: {
        description: 'show what the node tells a worker about an order',
        usage: '<order> [options]',
        examples: ['work brief order-1'],
        load: () => import('./commands/work/brief.ts'),
      },
      accept: {
        description: 'take an order',
        usage: '<order> [options]',
        examples: ['work accept order-1'],
        load: () => import('./commands/work/accept.ts'),
      },
      submit: {
        description: 'deliver: store the file as a blob, commit its hash',
        usage: '<order> <file> [options]',
        examples: ['work submit order-1 result.md', 'work submit order-1 - < result.md'],
        load: () => import('./commands/work/submit.ts'),
      },
      offer: {
        description: 'offer work: store its scope, put the money into escrow',
        usage: '<title> --funding <amount> --instructions <text> [options]',
        examples: [
          'work offer "A haiku" --funding 5NET --instructions "About rain." --question "Is it a haiku about rain?"',
        ],
        load: () => import('./commands/work/offer.ts'),
      },
      dispute: {
        description: 'dispute a verified order: store the reason, lock a bond',
        usage: '<order> --reason <text> [options]',
        examples: ['work dispute order-1 --reason @why.md'],
        load: () => import('./commands/work/dispute.ts'),
      },
      settle: {
        description: 'have a verified order paid',
        usage: '<order> [options]',
        examples: ['work settle order-1 --wait'],
        load: () => import('./commands/work/settle.ts'),
      },
    },
  },
  message: {
    description: 'send a sealed message, or read those that came',
    usage: '[agent] [text] [options]',
    examples: ['message house-echo "How are you?" --ask', 'message --read'],
    load: () => import('./commands/message.ts'),
  },
  remember: {
    description: 'keep a value in the portable memory of the agent, or read one',
    usage: '[key] [value] [options]',
    examples: ['remember seen 42', 'remember seen'],
    load: () => import('./commands/remember.ts'),
  },
  memory: {
    description: 'list the checkpoints of the memory of an agent',
    usage: '[agent] [options]',
    examples: ['memory', 'memory ada'],
    load: () => import('./commands/memory.ts'),
  },
  mcp: {
    description: 'serve an agent to a model by MCP over stdio, under a session with a budget',
    usage: '--session <file> [options]',
    examples: ['mcp --session ada.session-1.json --print-config'],
    load: () => import('./commands/mcp.ts'),
  },
  events: {
    description: 'show what happened on the chain, and what happens',
    usage: '[options]',
    examples: ['events', 'events -f --agent ada'],
    load: () => import('./commands/events.ts'),
  },
  tokens: {
    description: 'list the tokens, or show one',
    usage: '[token] [options]',
    examples: ['tokens', 'tokens tok-shells'],
    load: () => import('./commands/tokens.ts'),
  },
  keys: {
    description: 'list, make, show and rotate keys; never their private part',
    usage: '[command]',
    examples: ['keys', 'keys show ada', 'keys new bob'],
    children: {
      list: {
        description: 'list the keys of this machine',
        usage: '[options]',
        examples: ['keys list'],
        isDefault: true,
        load: () => import('./commands/keys/list.ts'),
      },
      new: {
        description: 'make a key without registering it; netd join does both',
        usage: '<agent> [options]',
        examples: ['keys new bob'],
        load: () => import('./commands/keys/new.ts'),
      },
      show: {
        description: 'show a key without its private part',
        usage: '<agent> [options]',
        examples: ['keys show ada'],
        load: () => import('./commands/keys/show.ts'),
      },
      rotate: {
        description: 'give the operator of a data directory another key; its node must run',
        usage: '[options]',
        examples: ['keys rotate'],
        load: () => import('./commands/keys/rotate.ts'),
      },
    },
  },
  sessions: {
    description: 'let another key act for the agent, within limits',
    usage: '<command>',
    examples: ['sessions grant shop --actions transfer --budget 5NET', 'sessions list'],
    children: {
      grant: {
        description: 'make a session key that may do some actions within a budget',
        usage: '<session> [options]',
        examples: ['sessions grant shop --actions transfer --budget 5NET --blocks 1000'],
        load: () => import('./commands/sessions/grant.ts'),
      },
      list: {
        description: 'list the sessions of an agent',
        usage: '[options]',
        examples: ['sessions list'],
        load: () => import('./commands/sessions/list.ts'),
      },
      revoke: {
        description: 'end a session',
        usage: '<session> [options]',
        examples: ['sessions revoke shop'],
        load: () => import('./commands/sessions/revoke.ts'),
      },
    },
  },
  apply: {
    description: 'apply for a role, and claim it once it is approved',
    usage: '<role> [profile…] [options]',
    examples: ['apply verifier bond=100NET'],
    load: () => import('./commands/apply.ts'),
  },
  approve: {
    description: 'approve an application, with the operator key of the data directory',
    usage: '[application] [options]',
    examples: ['approve', 'approve ada-verifier-1 --group house-of-ada'],
    load: () => import('./commands/approve.ts'),
  },
  verify: {
    description:
      'replay a data directory, or the blocks of a node, from genesis: every signature, hash, link, root and certificate',
    usage: '[options]',
    examples: ['verify', 'verify --url http://127.0.0.1:8420'],
    load: () => import('./commands/verify.ts'),
  },
  recover: {
    description:
      'after a backup was restored: take the blocks that a validator has signed since back from its followers',
    usage: '--from <url> [options]',
    examples: ['recover --from https://copy.example', 'recover --as-is'],
    load: () => import('./commands/recover.ts'),
  },
  follow: {
    description:
      'keep a verified copy of a chain that others certify, and serve every read from it',
    usage: '[origins…] [options]',
    examples: ['follow http://127.0.0.1:8420'],
    load: () => import('./commands/follow.ts'),
  },
  compare: {
    description:
      'say in one table where nodes agree, lag or contradict each other, with the evidence',
    usage: '<origins…> [options]',
    examples: ['compare http://127.0.0.1:8420 http://127.0.0.1:8430'],
    load: () => import('./commands/compare.ts'),
  },
  blobs: {
    description: 'keep the bytes behind the hashes of the chain, in an HTTP service of its own',
    usage: '[options]',
    examples: ['blobs'],
    load: () => import('./commands/blobs.ts'),
  },
  demo: {
    description:
      'watch agents join, work, dispute, get paid, talk, move, mint, vote and release, on a node that runs here',
    usage: '[options]',
    examples: ['demo'],
    load: () => import('./commands/demo.ts'),
  },
  reset: {
    description: 'delete the chain of a data directory; its keys are set aside',
    usage: '[options]',
    examples: ['reset --yes'],
    load: () => import('./commands/reset.ts'),
  },
  completion: {
    description: 'print what makes a shell complete this command',
    usage: '<bash|zsh|fish>',
    examples: ['completion bash >> ~/.bashrc'],
    load: () => import('./commands/completion.ts'),
  },
};
