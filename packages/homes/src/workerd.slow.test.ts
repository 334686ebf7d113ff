/** An agent as a Durable Object in the runtime of Cloudflare Workers, before a real node. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { until } from '@netd/protocol/testing';
import { World } from '@netd/sdk/testing/world';
import { freePort } from '@netd/testkit/free-port';
import { tempDir } from '@netd/testkit/temp-dir';
import { installClients, workerdIn } from './testing/clients.ts';

const clients = await installClients();
const skip = clients === null && 'workerd could not be installed';

/** Bundles the worker as a user would, which fails if anything in it needs Node. */
async function bundle(folder: string): Promise<void> {
  await build({
    input: fileURLToPath(new URL('testing/worker.ts', import.meta.url)),
    platform: 'browser',
    output: { format: 'esm', file: join(folder, 'worker.mjs') },
  });
}

function configuration(port: number, variables: Record<string, string>): string {
  const bindings = Object.entries(variables).map(
    ([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local"])),
    (name = "disk", disk = (path = "disk", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "Ada", uniqueKey = "ada", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [(name = "ADA", durableObjectNamespace = "Ada"), ${bindings.join(', ')}],
);
`;
}

test(
  'a Durable Object earns by its alarms, also after it was killed',
  { skip, timeout: 60_000 },
  async (t) => {
    const folder = tempDir(t);
    mkdirSync(join(folder, 'disk'));
    await bundle(folder);
    const program = await workerdIn(clients ?? '');
    const world = await World.start(t);
    await world.staff();
    const port = await freePort();
    const start = (hangs: string): ChildProcess => {
      const variables = { NODE: world.node.url, BLOBS: world.origins.join(' '), HANGS: hangs };
      writeFileSync(join(folder, 'config.capnp'), configuration(port, variables));
      const child = spawn(program, ['serve', 'config.capnp'], { cwd: folder, stdio: 'inherit' });
      t.after(() => child.kill('SIGKILL'));
      return child;
    };
    const alarm = async (): Promise<void> => {
      await fetch(`http://127.0.0.1:${port}/`).catch(() => {});
    };
    const isRegistered = async (): Promise<boolean> => {
      await alarm();
      return world.balanceOf('ada').then(
        () => true,
        () => false,
      );
    };

    const first = start('yes');
    await until(isRegistered);
    const orderId = await world.order({ agentId: 'ada' });
    const statusIs = (status: string) => async (): Promise<boolean> => {
      await alarm();
      return (await world.orderAt(orderId)).status === status;
    };
    await until(statusIs('ACCEPTED'));
    const exit = once(first, 'exit');
    first.kill('SIGKILL');
    await exit;

    start('');
    await until(statusIs('PAID'));
    const { funding, workerId } = await world.orderAt(orderId);
    assert.equal(workerId, 'ada');
    assert.equal(await world.balanceOf('ada'), funding);
    for (const type of ['WorkAccepted', 'WorkResultSubmitted', 'WorkOrderPaid']) {
      const happened = (await world.events(type)).filter((data) => data['orderId'] === orderId);
      assert.equal(happened.length, 1, type);
    }
  },
);
