/** Agents whose state several processes share, over the servers of this machine: paused, killed, taken over. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Agent, leasedHome } from '@netd/sdk';
import { requireFence, requireShared } from '@netd/sdk/testing/shared-store';
import { World } from '@netd/sdk/testing/world';
import { POSTGRES_TABLE } from './postgres.ts';
import { installClients, openStores, type Kind, type Opened } from './testing/clients.ts';
import { programsOf, startServer } from './testing/servers.ts';

const HOLDER = fileURLToPath(new URL('testing/holder.ts', import.meta.url));
/** Shorter than in production, and longer than a write takes. */
const LEASE = 2_000;
const RENT = 1_000_000;
const bounded = { timeout: 120_000 };

const clients = (await installClients()) ?? '';

/** A process that pays the rent of an agent. */
class Holder {
  readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(task: object, failpoint = '') {
    const env = { ...process.env, NET_FAILPOINT: failpoint };
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    this.child = spawn(process.execPath, [HOLDER, JSON.stringify(task)], {
      env,
      stdio: [...stdio],
    });
    const input = this.child.stdout;
    assert.ok(input);
    this.lines = createInterface({ input })[Symbol.asyncIterator]();
  }

  async says(): Promise<string | undefined> {
    const { value } = (await this.lines.next()) as { value: string | undefined };
    return value;
  }
}

for (const kind of ['postgres', 'valkey'] as const satisfies Kind[]) {
  const program = programsOf(kind);
  const skip =
    program === null ? `no ${kind} here` : clients === '' && 'the clients could not be installed';

  describe(`a home in ${kind}`, { skip }, () => {
    let world: World;
    let stores: Opened;
    let socket: string;
    const ends: (() => unknown)[] = [];
    before(async () => {
      const t = { after: (end: () => unknown) => void ends.push(end) };
      socket = await startServer(kind, program ?? '', t);
      stores = await openStores(kind, socket, clients);
      t.after(() => stores.close());
      await stores.prepare(POSTGRES_TABLE);
      world = await World.start(t);
      await world.join('landlord');
    });
    after(async () => {
      for (const end of ends.toReversed()) await end();
    });

    /** Opens an agent with money for one rent and more, and returns what its processes need. */
    async function tenant(agentId: string): Promise<object> {
      const options = world.options({ beacon: false, memory: false });
      const home = leasedHome(stores.store(agentId), { lease: LEASE });
      const agent = await Agent.open(agentId, { ...options, home });
      await agent.act('faucet', { amount: 5 * RENT }, { id: 'money' });
      await agent.stop();
      return { kind, socket, clients, agentId, options, lease: LEASE };
    }

    /** Opens the agent again and again until the lease of the other process has run out, and pays. */
    async function payInstead(task: object): Promise<string | undefined> {
      for (;;) {
        const holder = new Holder(task);
        const first = await holder.says();
        if (first !== 'AGENT_RUNNING') assert.equal(first, 'open');
        const last = first === 'open' ? await holder.says() : null;
        await once(holder.child, 'exit');
        if (last !== null) return last;
      }
    }

    async function requirePaidOnce(agentId: string): Promise<void> {
      assert.equal(await world.balanceOf(agentId), 4 * RENT);
    }

    it('keeps the promises of a shared store', () => requireShared(stores.store('shared')));

    it('fences a process off once another one has its lease', () =>
      requireFence(stores.store('fence')));

    it('lets a paused process pay nothing once another one has paid', bounded, async () => {
      const task = await tenant('paused');
      const paused = new Holder(task, 'stop:write');
      assert.equal(await paused.says(), 'open');
      assert.match((await payInstead(task)) ?? '', /^paid at/);
      paused.child.kill('SIGCONT');
      assert.equal(await paused.says(), 'HOME_FENCED');
      await once(paused.child, 'exit');
      await requirePaidOnce('paused');
    });

    // The rest depends on the outbox, which is the same over every store.
    if (kind !== 'postgres') return;

    it('pays once if the paused process has stored its envelope', bounded, async () => {
      const task = await tenant('signed');
      const paused = new Holder(task, 'stop:act.signed');
      assert.equal(await paused.says(), 'open');
      const paid = await payInstead(task);
      assert.match(paid ?? '', /^paid at/);
      paused.child.kill('SIGCONT');
      // It sends the same envelope again, or learns first that it is fenced off.
      assert.match((await paused.says()) ?? '', new RegExp(`^(HOME_FENCED|${paid})$`));
      await once(paused.child, 'exit');
      await requirePaidOnce('signed');
    });

    for (const failpoint of ['act.signed', 'act.answered', 'act.recorded']) {
      it(`pays once if the process is killed at ${failpoint}`, bounded, async () => {
        const agentId = failpoint.replace('.', '-');
        const task = await tenant(agentId);
        const killed = new Holder(task, failpoint);
        assert.equal(await killed.says(), 'open');
        const [, signal] = (await once(killed.child, 'exit')) as [unknown, string | null];
        assert.equal(signal, 'SIGKILL');
        assert.match((await payInstead(task)) ?? '', /^paid at/);
        await requirePaidOnce(agentId);
      });
    }
  });
}
