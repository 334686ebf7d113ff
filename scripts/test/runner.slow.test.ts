/** The runner of all tests, on files that fail, hang and do not clean up. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { JobSite, type JobEnd } from './job.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const ROOM = 'packages/x/src';
const HEAD =
  "import { test, before } from 'node:test';\nimport { spawn } from 'node:child_process';\nimport { writeFileSync } from 'node:fs';\n";
/** A process that ends by itself, should a test of this file fail. */
const LINGER = `spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' })`;

interface Ended {
  code: number | null;
  output: string;
}

class Tree {
  readonly root: string;
  private readonly running = new Set<ChildProcess>();
  private output = '';

  constructor(t: TestContext, files: Record<string, string>) {
    this.root = mkdtempSync(join(tmpdir(), 'runner-'));
    mkdirSync(join(this.root, ROOM), { recursive: true });
    mkdirSync(join(this.root, 'tmp'));
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(this.root, ROOM, `${name}.test.ts`), HEAD + text);
    }
    t.after(() => {
      for (const child of this.running) child.kill('SIGKILL');
      rmSync(this.root, { recursive: true });
    });
  }

  start(...args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.root,
      // If `node --test` runs this file, Node's runner would take their output for that of its own children.
      env: { ...process.env, TMPDIR: join(this.root, 'tmp'), NODE_TEST_CONTEXT: undefined },
    });
    this.running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (this.output += part));
    }
    const ended = once(child, 'close').then(([code]) => {
      this.running.delete(child);
      return { code: code as number | null, output: this.output };
    });
    return { child, ended };
  }

  run(...args: string[]): Promise<Ended> {
    return this.start(...args).ended;
  }

  /** Waits for a text in the output. */
  async printed(text: string): Promise<void> {
    while (!this.output.includes(text)) await pause(20);
  }

  /** Waits for a test's file and returns its text. */
  async told(name: string): Promise<string> {
    const file = join(this.root, name);
    while (!existsSync(file) || readFileSync(file, 'utf8') === '') await pause(20);
    return readFileSync(file, 'utf8');
  }

  get leftInTmp(): string[] {
    return readdirSync(join(this.root, 'tmp'));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('files that pass are counted, each with its time, and so are those in one process', async (t) => {
  const tree = new Tree(t, {
    one: `test('a', () => {}); test.skip('b', () => {});`,
    two: `test('c', async (t) => { await t.test('d', () => {}); });`,
    'three.prop': `test('e', () => {});`,
  });
  const { code, output } = await tree.run(ROOM);
  assert.equal(code, 0, output);
  assert.match(output, /✔ +\d+\.\d s {2}packages\/x\/src\/one\.test\.ts {2}1 passed, 1 skipped\n/);
  assert.match(output, /The slowest:\n/);
  if (existsSync('/proc/self/stat'))
    assert.match(
      output,
      /Most CPU time, of \d+ s in all:\n +\d+\.\d s {2}packages\/x\/src\/\S+ and 2 more\n/,
    );
  assert.match(output, /\n4 passed, 0 failed, 1 skipped\n$/);
  assert.deepEqual(tree.leftInTmp, []);
});

test('what fails after its test had ended is reported with its reason', async (t) => {
  const tree = new Tree(t, {
    late: `test('a', () => { setTimeout(() => { Promise.reject(new Error('for a reason')); }, 50); });
test('b', () => new Promise((resolve) => setTimeout(resolve, 500)));`,
  });
  const { code, output } = await tree.run(ROOM);
  assert.equal(code, 1);
  assert.match(output, /✖ packages\/x\/src\/late\.test\.ts\n.*Test "a".*Error: for a reason/);
});

test('a test that timed out does not keep its file running', async (t) => {
  const tree = new Tree(t, {
    hung: `test('a', { timeout: 100 }, () => { setInterval(() => {}, 1_000); ${LINGER}; return new Promise(() => {}); });
test('b', () => {});`,
  });
  const { code, output } = await tree.run(ROOM);
  assert.equal(code, 1);
  assert.match(output, /✖ packages\/x\/src\/hung\.test\.ts › a\n.*\n +.*timed out after 100ms/);
  assert.match(output, /kept this process alive, so it was ended/);
  assert.match(output, /1 passed, .*1 failed|1 passed, \d failed/);
});

test('what fails is reported with the file, its suite and the reason', async (t) => {
  const tree = new Tree(t, {
    good: `test('a', () => {});`,
    bad: `import { describe } from 'node:test';\ndescribe('outer', () => { test('inner', () => { throw new Error('for a reason'); }); });`,
  });
  const { code, output } = await tree.run(ROOM);
  assert.equal(code, 1);
  assert.match(
    output,
    /✖ packages\/x\/src\/bad\.test\.ts › outer › inner\n.*bad\.test\.ts:5\n +Error: for a reason/,
  );
  assert.match(output, /\n1 passed, 1 failed, 0 skipped\n$/);
});

for (const [what, text, pattern] of [
  ['cannot be loaded', `import './nowhere.ts';\ntest('a', () => {});`, /ERR_MODULE_NOT_FOUND/],
  ['holds no test', '', /ran no test/],
  [
    'has a hook that fails',
    `before(() => { throw new Error('no node'); });\ntest('a', () => {});`,
    /no node/,
  ],
  [
    'ends its process',
    `test('a', () => {});\ntest('b', async () => { await new Promise((r) => setTimeout(r, 200)); process.exit(0); });`,
    /ended before its tests did/,
  ],
  ['leaves a process', `test('a', () => { ${LINGER}.unref(); });`, /left behind:\nprocess \d+: /],
  [
    'leaves a file',
    `test('a', () => writeFileSync(process.env.TMPDIR + '/rest', ''));`,
    /left behind:\n.*rest/,
  ],
] as const) {
  for (const [where, others] of [
    ['alone', {}],
    ['among others', { other: `test('b', () => {});` }],
  ] as const) {
    test(`a file that ${what} fails, ${where}`, async (t) => {
      const { code, output } = await new Tree(t, { file: text, ...others }).run(ROOM);
      assert.equal(code, 1, output);
      assert.match(output, pattern);
    });
  }
}

/** Fails the first time: then there is no such file. */
const CHANCE = `import { existsSync } from 'node:fs';
test('now and then', () => {
  const isSecond = existsSync('seen');
  writeFileSync('seen', 'once');
  if (!isSecond) throw new Error('too early');
});`;

test('run again, what fails by chance is reported in full and fails the run no more; what fails twice does', async (t) => {
  const chance = new Tree(t, {
    good: `test('a', () => {});`,
    chance: CHANCE,
  });
  const mended = await chance.run('--again', ROOM);
  assert.equal(mended.code, 0, mended.output);
  assert.match(mended.output, /Once more: .*chance\.test\.ts/);
  assert.match(mended.output, /passed when run again[^]*now and then[^]*too early/);
  assert.match(mended.output, /\n2 passed, 0 failed, 0 skipped, 1 failed by chance/);

  const bad = new Tree(t, { bad: `test('never', () => { throw new Error('for a reason'); });` });
  const broken = await bad.run('--again', ROOM);
  assert.equal(broken.code, 1);
  assert.match(broken.output, /\n0 passed, 1 failed, 0 skipped\n/);
});

test('of two jobs that are run again, one may have failed by chance', async (t) => {
  const tree = new Tree(t, {
    bad: `test('never', () => { throw new Error('for a reason'); });`,
    'chance.slow': CHANCE,
  });
  const { code, output } = await tree.run('--again', ROOM);
  assert.equal(code, 1);
  assert.match(output, /passed when run again[^]*too early[^]*What failed:[^]*for a reason/);
  assert.match(output, /\n1 passed, 1 failed, 0 skipped, 1 failed by chance/);
});

test('more than four failed jobs are not run again: it is no chance', async (t) => {
  const fails = `test('t', () => { throw new Error('for a reason'); });`;
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.slow`);
  const tree = new Tree(t, Object.fromEntries(names.map((name) => [name, fails])));
  const { code, output } = await tree.run('--slow', '--again', ROOM);
  assert.equal(code, 1);
  assert.doesNotMatch(output, /Once more/);
});

test('hooks at the top of a file are for that file alone', async (t) => {
  const tree = new Tree(t, {
    one: `let ready = false; before(() => { ready = true; }); test('a', () => { if (!ready) throw new Error('not ready'); });`,
    two: `import { beforeEach } from 'node:test'; beforeEach(() => { globalThis.twos = (globalThis.twos ?? 0) + 1; }); test('b', () => {});`,
    zero: `test('c', () => { if (globalThis.twos !== 1) throw new Error(String(globalThis.twos)); });`,
  });
  const { code, output } = await tree.run(ROOM);
  assert.equal(code, 0, output);
});

test('stopped by Ctrl-C it ends what it started, leaves nothing, and says what has failed so far', async (t) => {
  const tree = new Tree(t, {
    'fails.slow': `test('b', () => { throw new Error('so far'); });`,
    hangs: `test('a', async () => { const { pid } = ${LINGER}; writeFileSync(process.cwd() + '/pid', String(pid)); await new Promise((r) => setTimeout(r, 60_000)); });`,
  });
  const { child, ended } = tree.start(ROOM);
  const pid = Number(await tree.told('pid'));
  await tree.printed('1 failed');
  child.kill('SIGINT');
  const { code, output } = await ended;
  assert.equal(code, 130, output);
  assert.match(output, /What failed:[^]*fails\.slow[^]*so far[^]*Stopped by SIGINT/);
  while (isRunning(pid)) await pause(20);
  assert.deepEqual(tree.leftInTmp, []);
});

test('no file by that name is wrong usage', async (t) => {
  const { code, output } = await new Tree(t, {}).run('nowhere');
  assert.equal(code, 2);
  assert.match(output, /No test file has nowhere in its path/);
});

test('a job that takes too long is ended with all it started', async (t) => {
  const site = new JobSite();
  t.after(() => site.close());
  const program = `const { pid } = require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { detached: true, env: {} }); console.log(pid); setTimeout(() => {}, 60_000);`;
  // On a busy machine the program may need more than a second until it says which process it started.
  let end: JobEnd;
  let limit = 1;
  do {
    end = await site.run([process.execPath, '-e', program], { limit });
    limit *= 2;
  } while (end.output === '');
  assert.ok(end.isOutOfTime);
  while (isRunning(Number(end.output))) await pause(20);
});
