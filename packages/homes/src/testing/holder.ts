/**
 * An agent in a process of its own, over a store that it shares with others. It pays once, under the id `rent`,
 * and prints the outcome. NET_FAILPOINT says at which moment it is killed, or with `stop:` before it, paused:
 * `write` is the moment before its store is asked to write the signed envelope.
 */
import { writeSync } from 'node:fs';
import { Agent, leasedHome, NetError, AgentError, type AgentOptions } from '@netd/sdk';
import { openStores, type Kind } from './clients.ts';

interface Task {
  kind: Kind;
  socket: string;
  clients: string;
  agentId: string;
  options: AgentOptions;
  lease: number;
}

const { kind, socket, clients, agentId, options, lease } = JSON.parse(
  process.argv[2] ?? '',
) as Task;
const [, stops, at = ''] = /^(stop:)?(.*)$/.exec(process.env['NET_FAILPOINT'] ?? '') ?? [];
const say = (line: string): void => void writeSync(1, `${line}\n`);
let isPaying = false;
const reach = (name: string): void => {
  if (!isPaying || name !== at) return;
  isPaying = false;
  process.kill(process.pid, stops === undefined ? 'SIGKILL' : 'SIGSTOP');
};

const stores = await openStores(kind, socket, clients);
const store = stores.store(agentId);
const home = leasedHome(
  {
    ...store,
    writeIf: (guard, key, text) => {
      if (key.startsWith('state/act-')) reach('write');
      return store.writeIf(guard, key, text);
    },
  },
  { lease },
);
const codeOf = (error: unknown): string =>
  error instanceof NetError || error instanceof AgentError ? error.code : String(error);

try {
  const agent = await Agent.open(agentId, { ...options, home, log: false, reach });
  say('open');
  isPaying = true;
  try {
    const { height } = await agent.act(
      'transfer',
      { to: 'landlord', amount: 1_000_000 },
      { id: 'rent' },
    );
    say(`paid at ${height}`);
  } catch (error) {
    say(codeOf(error));
  }
  await agent.stop();
} catch (error) {
  say(codeOf(error));
}
await stores.close();
