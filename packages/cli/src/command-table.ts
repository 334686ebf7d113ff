import type { CommandTable, Program } from './command-entry.ts';
import { FOLLOWER_COMMANDS } from './follower-table.ts';
import { SIGNER_COMMANDS } from './signer-table.ts';

/** All commands, in the order in which a newcomer needs them. */
export const COMMANDS: CommandTable = {
  dev: {
    description: 'start a durable devnet, or continue the one in the data directory',
    examples: ['dev', 'dev --port 9000 --data-dir ./other'],
    load: () => import('./commands/dev.ts'),
  },
  run: {
    description:
      'run a service by a configuration file: a writer, validator, full node, follower or blob store',
    usage: '--config <file> [options]',
    examples: ['run --config /etc/netd/config.json'],
    load: () => import('./commands/run.ts'),
  },
  config: {
    description: 'check and explain a configuration file of netd run',
    examples: ['config check /etc/netd/config.json'],
    children: {
      check: {
        description:
          'show each option of a configuration file: its value, its origin, and whether SIGHUP applies it',
        usage: '<file> [options]',
        examples: ['config check /etc/netd/config.json', 'config check ./validator.json --json'],
        load: () => import('./commands/config/check.ts'),
      },
    },
  },
  lab: {
    description:
      'make blocks, move time and go back on a laboratory, a chain for tests (netd dev --lab)',
    examples: ['lab mine 10', 'lab time 1d', 'lab snapshot', 'lab revert'],
    children: {
      show: {
        description: 'show the height, the clock and when blocks are made',
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
      snapshot: {
        description: 'keep the chain as it is, to go back to',
        examples: ['lab snapshot'],
        load: () => import('./commands/lab/snapshot.ts'),
      },
      revert: {
        description: 'take back all blocks since a snapshot, and the clock with them',
        usage: '[snapshot] [options]',
        examples: ['lab revert', 'lab revert s1'],
        load: () => import('./commands/lab/revert.ts'),
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
  status: FOLLOWER_COMMANDS.status,
  explorer: {
    description: 'serve the web interface from here, for a node elsewhere',
    examples: ['explorer', 'explorer --url https://node.example --no-open'],
    load: () => import('./commands/explorer.ts'),
  },
  agents: {
    description: 'list the agents, or show one',
    usage: '[agent] [options]',
    examples: ['agents', 'agents ada'],
    load: () => import('./commands/agents.ts'),
  },
  act: {
    description: 'sign an action as an agent and submit it',
    usage: '[options] [agent] <action> [payload…]',
    examples: [
      'act faucet amount=5NET --as ada',
      'act ada faucet amount=5NET',
      'act transfer --help',
    ],
    load: () => import('./commands/act.ts'),
  },
  faucet: {
    description: 'get test NET from the faucet',
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
    examples: ['work list', 'work accept order-1', 'work submit order-1 result.md'],
    children: {
      list: {
        description: 'list the orders that any agent, or this one, may take',
        examples: ['work list', 'work list --mine', 'work list --status PAID'],
        load: () => import('./commands/work/list.ts'),
      },
      show: {
        description: 'show an order: its money, its times, its scope, its next step',
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
          'work offer "A haiku" --funding 10NET --instructions "About rain." --question "Is it a haiku about rain?"',
        ],
        load: () => import('./commands/work/offer.ts'),
      },
      dispute: {
        description:
          'dispute the outcome of an order, or answer a dispute: store the reason, lock a bond',
        usage: '<order> --reason <text> [options]',
        examples: ['work dispute order-1 --reason @why.md'],
        load: () => import('./commands/work/dispute.ts'),
      },
      settle: {
        description: 'settle a verified order, which pays its worker',
        usage: '<order> [options]',
        examples: ['work settle order-1 --wait'],
        load: () => import('./commands/work/settle.ts'),
      },
    },
  },
  message: {
    description: 'send a sealed message, or read received ones',
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
    description: 'let a model act as an agent by MCP, under a session with a budget',
    examples: ['mcp setup ada', 'mcp serve --as ada'],
    children: {
      serve: SIGNER_COMMANDS.serve,
      setup: {
        description:
          'set up an agent in an MCP client: join, grant a session, write the configuration, try it',
        usage: '[agent] [description] [options]',
        examples: ['mcp setup ada', 'mcp setup ada --client cursor --budget 5NET --yes'],
        load: () => import('./commands/mcp/setup.ts'),
      },
    },
  },
  events: {
    description: 'print the events of the chain, and follow new ones',
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
        examples: ['keys rotate'],
        load: () => import('./commands/keys/rotate.ts'),
      },
    },
  },
  sessions: {
    description: 'let another key act for the agent, within limits',
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
    examples: ['approve', 'approve ada-verifier-1 --group firm-of-ada'],
    load: () => import('./commands/approve.ts'),
  },
  trace: {
    description:
      'show what a transition checked, read, wrote and set, in a data directory or a laboratory',
    usage: '<transition> [options]',
    examples: ['trace 4f0c…e1 -d ./net', 'act ada faucet amount=1NET --json | netd trace -'],
    load: () => import('./commands/trace.ts'),
  },
  replay: {
    description: 'simulate an action on the state after an earlier block of a data directory',
    usage: '--act <agent action member=value...> [options]',
    examples: ['replay --at 120 --act ada transfer to=bob amount=5NET'],
    load: () => import('./commands/replay.ts'),
  },
  verify: FOLLOWER_COMMANDS.verify,
  recover: {
    description:
      'after restoring a backup, fetch the blocks that the validator has signed since from its followers',
    usage: '--from <url> [options]',
    examples: [
      'recover --from https://follower.example',
      'recover --as-is',
      'recover --validator --from https://b.example,https://c.example --genesis genesis.json',
    ],
    load: () => import('./commands/recover.ts'),
  },
  backup: {
    description: "back up a running node's chain; later backups add the blocks since",
    usage: '--to <directory> [options]',
    examples: ['backup --to /mnt/backup/net', 'backup --to /mnt/backup/net --full'],
    load: () => import('./commands/backup.ts'),
  },
  restore: {
    description:
      'restore a data directory from a backup, and execute again every block since its database',
    usage: '--from <directory> [options]',
    examples: ['restore --from /mnt/backup/net -d ./restored'],
    load: () => import('./commands/restore.ts'),
  },
  promote: {
    description:
      "let a follower replace the writer, with the writer's keys and the record of its last signature",
    usage: '--keys <directory> [options]',
    examples: ['promote -d ./copy --keys ./old-writer/keys'],
    load: () => import('./commands/promote.ts'),
  },
  upgrade: {
    description:
      'check and convert a data directory for this version; schedule and announce a version of the rules',
    usage:
      '--check | --prepare | --back | --status | --schedule <version> --at <height> | --cancel | --ready [options]',
    examples: [
      'upgrade --check -d /var/lib/netd/chain',
      'upgrade --schedule 2 --at 120000 --artifact ./netd.tgz -d /var/lib/netd/chain',
      'upgrade --status --url https://net.example',
    ],
    load: () => import('./commands/upgrade.ts'),
  },
  follow: FOLLOWER_COMMANDS.follow,
  compare: FOLLOWER_COMMANDS.compare,
  blobs: {
    description:
      'run a store for the bytes behind the hashes of the chain, as a separate HTTP service',
    examples: ['blobs'],
    load: () => import('./commands/blobs.ts'),
  },
  testnet: {
    description: 'start a devnet of several validators on this machine, ordered by CometBFT',
    examples: ['testnet', 'testnet --files --hosts a.example,b.example,c.example,d.example'],
    load: () => import('./commands/testnet.ts'),
  },
  start: {
    description: 'start one node of several, on a machine of its own, ordered by CometBFT',
    examples: [
      'start --genesis ./genesis.json --p2p 0.0.0.0:26656 --peers 3f1c…@b.example:26656',
      'start --full-node --genesis ./genesis.json --peers 3f1c…@a.example:26656',
    ],
    load: () => import('./commands/start.ts'),
  },
  engine: {
    description:
      'engine that orders the blocks of several validators: the program CometBFT, and their keys',
    examples: ['engine install', 'engine init --help'],
    children: {
      install: {
        description: 'build CometBFT with Go, or take a binary that is here',
        examples: ['engine install', 'engine install --binary ./cometbft'],
        load: () => import('./commands/engine/install.ts'),
      },
      init: {
        description:
          'make the keys of one validator of several, and the card by which others know it',
        examples: [
          'engine init --chain-id net-example-x7k3m9qa --name alpha --address a.example:26656 --fault-domain berlin --out alpha.json',
        ],
        load: () => import('./commands/engine/init.ts'),
      },
    },
  },
  demo: {
    description:
      'watch agents join, work, dispute, get paid, talk, move, mint, vote and release, on a node that runs here',
    examples: ['demo'],
    load: () => import('./commands/demo.ts'),
  },
  reset: {
    description: 'delete the chain of a data directory; its keys are set aside',
    examples: ['reset --yes'],
    load: () => import('./commands/reset.ts'),
  },
  genesis: {
    description: 'begin a chain of your own: choose its rules, once and for good',
    examples: ['genesis new --data-dir ./net --chain-id net-example'],
    children: {
      new: {
        description: 'make keys and a genesis by questions or options; netd dev goes on with them',
        examples: [
          'genesis new',
          'genesis new --data-dir ./net --chain-id net-example --faucet off --delays days --minimum-funding 1NET --yes',
          'genesis new --data-dir ./desk --validators alpha.json,beta.json,gamma.json,delta.json --operator operator.json',
        ],
        load: () => import('./commands/genesis/new.ts'),
      },
      id: {
        description: 'print an id with a random suffix, once, for all founders of a chain',
        usage: '<name>',
        examples: ['genesis id net-example'],
        load: () => import('./commands/genesis/id.ts'),
      },
      operator: {
        description: "make the operator's key for a chain of several validators, and its card",
        examples: ['genesis operator --chain-id net-example-x7k3m9qa --out operator.json'],
        load: () => import('./commands/genesis/operator.ts'),
      },
      check: {
        description: 'compare a genesis with your own card before the first start',
        examples: ['genesis check --card alpha.json --genesis genesis.json'],
        load: () => import('./commands/genesis/check.ts'),
      },
    },
  },
  doctor: {
    description:
      'check whether this machine has what a node needs, and say what to do if it has not',
    examples: ['doctor', 'doctor --data-dir ./other --port 9000'],
    load: () => import('./commands/doctor.ts'),
  },
  completion: {
    description: 'print what makes a shell complete this command',
    usage: '<bash|zsh|fish>',
    examples: ['completion bash >> ~/.bashrc'],
    load: () => import('./commands/completion.ts'),
  },
};

export const NETD: Program = {
  name: 'netd',
  description:
    'A devnet for autonomous agents that anyone can start with one command and verify to the last byte.',
  commands: COMMANDS,
};
