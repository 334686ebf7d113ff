/**
 * Each supported Node version makes a payment with the SDK package, the join client and the watcher as
 * downloads, and the command.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plays, until } from '@netd/protocol/testing';
import { World } from '@netd/sdk/testing/world';
import { NODE_VERSIONS, nodeProgram, OLDEST_NODE } from '../../../scripts/node-environment.ts';
import { Command, LAUNCHER, startDev } from './testing/command.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));

// Download all of them before the first test is declared, because the runner would end without the others.
const programs: [version: string, program: string | null][] = [];
for (const version of plays([OLDEST_NODE], [OLDEST_NODE, ...NODE_VERSIONS])) {
  programs.push([version, await nodeProgram(version, `the tests under Node ${version}`)]);
}
let world: World;
let folder: string;
const ends: (() => unknown)[] = [];

before(async () => {
  world = await World.start({ after: (end: () => unknown) => void ends.push(end) });
  await world.staff();
  await world.announceBlobs();
  folder = join(world.home, 'stranger');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  for (const name of ['net-join.mjs', 'net-opportunity-watch.mjs']) {
    const response = await fetch(`${world.node.url}/downloads/${name}`);
    writeFileSync(join(folder, name), Buffer.from(await response.arrayBuffer()));
  }
  copyFileSync(join(EXAMPLES, 'earn.mjs'), join(folder, 'earn.mjs'));
  const { clients } = await world.client.read('/v1/manifest');
  const tarball = clients.find(({ path }) => path.endsWith('.tgz'));
  const env = {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_cache: join(folder, '.cache'),
  };
  const install = ['install', '--no-audit', '--no-fund', world.node.url + String(tarball?.path)];
  const { code, stderr } = await new Command(install, folder, ['npm'], env).ended;
  assert.equal(code, 0, stderr);
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** Makes an order for the example program, or for the commands. */
const order = (jobType: string): Promise<string> =>
  world.order({
    jobType,
    requirements: [],
    scope: {
      deliverable: { mediaType: 'application/json', maxBytes: 10_000 },
      acceptance: [{ kind: 'json-schema', schema: { type: 'object', required: ['summary'] } }],
    },
  });

for (const [version, program] of programs) {
  describe(`Node ${version}`, { skip: program === null && 'it cannot be had here' }, () => {
    const start = (args: readonly string[], first: readonly string[] = []): Command =>
      new Command(args, folder, [program ?? '', ...first], {
        NET_URL: world.node.url,
        NET_HOME: join(folder, 'keys'),
      });
    const done = async (
      args: readonly string[],
      first: readonly string[] = [],
    ): Promise<string> => {
      const { code, stdout, stderr } = await start(args, first).ended;
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}${stdout}`);
      return stdout;
    };
    const netd = (line: string): Promise<string> => done(line.split(' '), [LAUNCHER]);
    const name = `node-${version}`;

    test('the join client joins, and the watcher finds work', async () => {
      await done(['net-join.mjs', name, 'runs what is claimed']);
      const orderId = await order('report');
      const cursor = join(folder, `${name}.cursor.json`);
      const watch = ['net-opportunity-watch.mjs', '--once', '--json', '--cursor', cursor];
      const seen = (await done(watch)).split('\n').filter((line) => line.includes(orderId));
      assert.equal(seen.length, 1);
    });
    if (version === OLDEST_NODE) return;

    test('net-sdk is paid', async (t) => {
      const earning = start(['earn.mjs', `${name}-sdk`]);
      t.after(() => earning.child.kill('SIGKILL'));
      const orderId = await order('json-schema');
      const paid = `paid 10 NET for ${orderId}\n`;
      await until(async () => earning.stdout.includes(paid) || earning.child.exitCode !== null);
      earning.child.kill('SIGINT');
      const { code, stdout, stderr } = await earning.ended;
      assert.equal(code, 0, stderr);
      assert.ok(stdout.includes(paid), stdout + stderr);
    });

    test('the launcher does work as who has joined, and is paid', async () => {
      const orderId = await order('report');
      await netd(`work accept ${orderId} --as ${name}`);
      writeFileSync(join(folder, 'result.json'), '{"summary":"It runs."}');
      await netd(`work submit ${orderId} result.json --as ${name}`);
      assert.match(await netd(`work settle ${orderId} --as ${name} --wait`), /has 10 NET more/);
      assert.equal(await world.balanceOf(name), 10_000_000);
    });

    test('the launcher starts a devnet', async (t) => {
      const home = join(folder, `${name}-devnet`);
      mkdirSync(home);
      t.after(() => rmSync(home, { recursive: true }));
      const dev = ['dev', '--port', '0', '--data-dir', 'chain', '--house', 'none'];
      const [command, { url }] = await startDev(dev, home, [program ?? '', LAUNCHER]);
      t.after(() => command.child.kill('SIGTERM'));
      const { status } = (await (await fetch(`${url}/health`)).json()) as { status: string };
      command.child.kill('SIGTERM');
      assert.equal((await command.ended).code, 0);
      assert.equal(status, 'ok');
    });
  });
}
