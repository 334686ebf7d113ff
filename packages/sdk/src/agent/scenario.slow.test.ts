/** conformance/scenario/scenario.json, played by both SDKs against one node, or one of four: what one writes the other reads. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@netd/protocol';
import { inCampaign } from '@netd/protocol/testing';
import { pythonSdkEnvironment } from '../../../../scripts/python-environment.ts';
import { jsonLine } from './testing/json-line.ts';
import { World } from './testing/world.ts';

interface Step extends JsonObject {
  by: 'writer' | 'reader' | 'both' | 'operator';
  do: string;
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SCENARIO = join(ROOT, 'conformance/scenario/scenario.json');
const DRIVER = fileURLToPath(new URL('testing/scenario-driver.ts', import.meta.url));
const { steps } = JSON.parse(readFileSync(SCENARIO, 'utf8')) as { steps: Step[] };
const python = await pythonSdkEnvironment('the scenario of both SDKs');

/** An SDK that plays steps. */
class Player {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly reader: Interface;

  constructor(command: string, args: string[], cwd: string) {
    const env = { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' };
    this.child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    assert.ok(this.child.stdout);
    this.reader = createInterface({ input: this.child.stdout });
    this.lines = this.reader[Symbol.asyncIterator]();
  }

  async play(step: JsonObject): Promise<JsonObject> {
    this.child.stdin?.write(jsonLine(step));
    const { value, done } = await this.lines.next();
    assert.ok(!done, `it ended at ${JSON.stringify(step)}`);
    return JSON.parse(value) as JsonObject;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.stdin?.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(timer);
  }
}

/** Puts what was saved where `$name` stands. */
function filled(value: JsonObject, saved: ReadonlyMap<string, string>): JsonObject {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === 'string'
      ? member.replace(/\$([a-z]+)/g, (whole, name: string) => saved.get(name) ?? whole)
      : member,
  ) as JsonObject;
}

async function play(
  t: TestContext,
  { crashes, validators = 0 }: { crashes: boolean; validators?: number },
): Promise<void> {
  assert.ok(python);
  const world = await World.start(t, { apart: true, validators });
  await world.staff();
  const { genesisHash } = await world.client.network();
  const keys = join(world.home, 'keys');
  const elsewhere = join(world.home, 'elsewhere', 'keys');
  const options = { url: world.node.url, blobs: world.origins, capabilities: ['research'], keys };
  const typescript = new Player(
    process.execPath,
    [DRIVER, JSON.stringify({ ...options, elsewhere, log: false })],
    ROOT,
  );
  const pythonic = new Player(
    join(python, 'python'),
    ['-m', 'tests.scenario_driver', JSON.stringify({ ...options, elsewhere, log: null })],
    join(ROOT, 'clients/python'),
  );
  t.after(() => Promise.all([typescript.end(), pythonic.end()]));
  for (const [run, writer, reader] of [
    ['t', typescript, pythonic],
    ['p', pythonic, typescript],
  ] as const) {
    const saved = new Map([
      ['run', run],
      ['writer', `writer-${run}`],
      ['reader', `reader-${run}`],
    ]);
    for (const step of steps) {
      const { expect = {}, by, save, crash, ...asked } = filled(step, saved);
      if (crash === true && crashes) await world.crashNode();
      if (asked['elsewhere'] === true) {
        // Another machine has the keys and nothing else.
        cpSync(keys, elsewhere, { recursive: true });
      }
      if (by === 'operator') {
        const { agent, runtime } = asked as { agent: string; runtime: string };
        await world.offerRuntime({ agentId: agent }, runtime);
        continue;
      }
      const players = { writer: [writer], reader: [reader], both: [writer, reader] }[
        by as 'writer' | 'reader' | 'both'
      ];
      const answers: JsonObject[] = [];
      for (const player of players ?? [])
        answers.push(await player.play({ ...asked, genesisHash }));
      const [answer = {}] = answers;
      const { saved: kept, ...told } = answer;
      if (typeof save === 'string') saved.set(save, kept as string);
      if (asked['do'] === 'prove') {
        assert.deepEqual(answers[1], answers[0]);
        const proven = answer['proven'] as JsonObject[];
        assert.ok(
          proven.every(({ verdict }) => verdict === 'trusted'),
          JSON.stringify(proven),
        );
        assert.deepEqual(
          proven.map(({ present }) => present),
          [true, true, true, true, false],
        );
      } else {
        assert.deepEqual(told, expect, `${run}: ${JSON.stringify(asked)}`);
      }
    }
  }
}

// A build plays the same with deaths in between.
test('what one SDK writes the other reads', { skip: python === null || inCampaign.skip }, (t) =>
  play(t, { crashes: false }),
);

test('with the node killed and restarted in between', { skip: python === null }, (t) =>
  play(t, { crashes: true }),
);

// One of them is killed, and the others go on; what was asked of it is asked again.
test(
  'with one of four validators, killed in between',
  { skip: python === null || inCampaign.skip },
  (t) => play(t, { crashes: true, validators: 4 }),
);
