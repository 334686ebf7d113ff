/**
 * Runs every code block of docs/guides in an empty folder, with the packages that the node serves. The devnet runs as
 * `npm start` runs it. The block below a program is its expected output: … matches anything, and the numbers of `text any-numbers`
 * may differ.
 * A campaign runs every program twice. A build runs each guide once, in one of its languages in turn; only the programs
 * of get-paid run twice there, too. `npm test` checks the types of all.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GUIDES } from '@netd/server/guides';
import { inCampaign, plays } from '@netd/protocol/testing';
import { freePort } from '@netd/testkit/free-port';
import { NetClient } from '@netd/sdk';
import { marked, type Tokens } from 'marked';
import { comes } from './testing/comes.ts';
import { LAUNCHER, startDev, type Command, type DevFacts } from './testing/command.ts';
import { TWENTY_LINES } from './testing/twenty-lines.ts';
import { pythonSdkEnvironment } from '../../../scripts/python-environment.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/guides/', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
const AS_NODE_20 = new URL('../../sdk/src/testing/as-node-20.ts', import.meta.url).href;
const DEV = 'http://127.0.0.1:8420';
/** The guides' server ports, which are replaced by free ones. */
const OTHER_PORTS = ['9420', '9421', '9430', '9431', '8430', '8431', '8432', '3000', '8000'];
const PATIENCE_MILLISECONDS = 400_000;
const TIMES = plays(1, 2);
const ENDINGS = { js: 'mjs', ts: 'ts', python: 'py', sh: 'sh' } as const;
type Language = keyof typeof ENDINGS;

interface Block {
  guide: string;
  language: Language;
  code: string;
  /** True if the program runs beside the others of its guide until Ctrl-C. */
  untilStopped: boolean;
  /** True if the block is a file that the next programs import. Its first line is its name. */
  isFile?: boolean;
  /** The expected output; null if the guide shows none. */
  expected: string | null;
  /** The output of a program after Ctrl-C; it runs until then. */
  atTheEnd?: string;
  /** True if the numbers of the expected output are only examples. */
  anyNumbers?: boolean;
}

interface Started {
  block: Block;
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  ended: Promise<number | null>;
}

/** @throws AssertionError for a code block of an unknown kind */
function blocksOf(guide: string): Block[] {
  const blocks: Block[] = [];
  const text = readFileSync(join(FOLDER, `${guide}.md`), 'utf8');
  const codes: Tokens.Code[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'code') codes.push(token as Tokens.Code);
  });
  for (const { lang = '', text: code } of codes) {
    const [language = '', ...marks] = lang.split(' ');
    const last = blocks.at(-1);
    if (language === 'text' && marks.includes('at-the-end')) {
      const program = blocks.findLast(({ untilStopped }) => untilStopped);
      assert.ok(program, `${guide}: no program runs until Ctrl-C for this output: ${code}`);
      program.atTheEnd = code;
      continue;
    }
    if (language === 'text') {
      assert.ok(last?.expected === null, `${guide}: an output that no block prints: ${code}`);
      last.expected = code;
      last.anyNumbers = marks.includes('any-numbers');
      continue;
    }
    assert.ok(language in ENDINGS, `${guide}: no test runs a block of "${lang}": ${code}`);
    assert.ok(
      marks.every((mark) => mark === 'until-stopped' || mark === 'file'),
      `${guide}: ${lang}`,
    );
    const isFile = marks.includes('file');
    assert.equal(isFile, language === 'ts', `${guide}: ${lang}`);
    blocks.push({
      guide,
      language: language as Language,
      code: `${code}\n`,
      untilStopped: marks.includes('until-stopped'),
      isFile,
      expected: null,
    });
  }
  return blocks;
}

function patternOf({ expected, anyNumbers }: Block, end: string): RegExp {
  const exactly = (text: string): string =>
    anyNumbers
      ? text
          .split(/\d+/)
          .map((part) => RegExp.escape(part))
          .join('\\d+')
      : RegExp.escape(text);
  const parts = here(expected ?? '').split('…');
  return new RegExp(`^${parts.map(exactly).join('[^]*')}${end}`);
}

let home: string;
let folder: string;
let python: string | null;
let dev: Command;
let facts: DevFacts;
const ports = new Map<string, string>();
const running = new Set<Started>();

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'netd-guides-'));
  folder = join(home, 'stranger');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  python = await pythonSdkEnvironment('the Python of docs/guides');
  // Puts the programs of a checkout and of an activated environment on the path. Python installs only the wheel of the node.
  shim('npx', `shift; exec '${process.execPath}' '${LAUNCHER}' "$@"`);
  shim('netd', `exec '${process.execPath}' '${LAUNCHER}' "$@"`);
  const target = `--no-deps --no-index --quiet --disable-pip-version-check --upgrade --target '${folder}/site'`;
  shim('pip', python === null ? 'exit 0' : `shift; exec '${python}/pip' install ${target} "$@"`);
  for (const port of OTHER_PORTS) ports.set(port, String(await freePort()));
  [dev, facts] = await startDev(['dev', '--port', '0', '--data-dir', 'chain'], home);
  const client = new NetClient({ url: facts.url });
  await comes('the house', async () => {
    const { actual } = await client.read('/v1/validation');
    const { orders } = await client.read('/v1/work-orders', { status: 'OPEN' });
    const echo = await client.read('/v1/discovery', { agentId: 'house-echo' });
    const stores = await client.read('/v1/discovery', { capability: 'blobs' });
    return (
      (actual.activeVerifiers >= 3 &&
        orders.length >= 3 &&
        echo.beacons.length > 0 &&
        stores.beacons.length >= 2) ||
      null
    );
  });
  for (const block of blocksOf('get-paid').filter(({ code }) => isInstall(code))) await run(block);
  // The guides of services install these from a registry.
  for (const name of ['hono', 'zod', 'express', '@opentelemetry'])
    symlinkSync(MODULES + name, join(folder, 'node_modules', name));
});
after(async () => {
  for (const started of running) signal(started, 'SIGKILL');
  dev.child.kill('SIGTERM');
  await dev.ended;
  rmSync(home, { recursive: true, force: true });
});

const isInstall = (code: string): boolean => /^npm install /m.test(code);

function shim(name: string, script: string): void {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** Returns a guide's text with this test's addresses. */
function here(text: string): string {
  let placed = text.replaceAll(DEV, facts.url);
  for (const [named, free] of ports) {
    placed = placed.replaceAll(`127.0.0.1:${named}`, `127.0.0.1:${free}`);
    placed = placed.replaceAll(`--port ${named}`, `--port ${free}`);
    placed = placed.replaceAll(`listen(${named}`, `listen(${free}`);
    placed = placed.replaceAll(`port=${named}`, `port=${free}`);
  }
  return placed;
}

/** Writes a block to the file that its first line names. */
function writeNamed(code: string): void {
  const [, path = ''] = /^\/\/ (\S+)\n/.exec(code) ?? [];
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), here(code));
}

let files = 0;

function start(block: Block): Started {
  const { guide, language, code, untilStopped } = block;
  const file = join(folder, `${guide}-${++files}.${ENDINGS[language]}`);
  // Use exec, because a shell that waits for its program would end on Ctrl-C, unlike an interactive one.
  const first = { js: '', ts: '', python: '', sh: untilStopped ? 'exec ' : 'set -e\n' }[language];
  writeFileSync(file, first + here(code));
  const program = {
    js: process.execPath,
    ts: process.execPath,
    python: join(python ?? '', 'python'),
    sh: 'sh',
  }[language];
  const flags = language === 'js' ? ['--import', AS_NODE_20] : [];
  const child = spawn(program, [...flags, file], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      HOME: folder,
      NET_URL: facts.url,
      // Keep npm from asking its registry for more than the packages.
      npm_config_audit: 'false',
      npm_config_update_notifier: 'false',
      PYTHONPATH: join(folder, 'site'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUNBUFFERED: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MILLISECONDS,
    // Ctrl-C in a terminal reaches everything that a shell started.
    detached: true,
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (exitCode) => {
      running.delete(started);
      resolve(exitCode);
    });
  });
  const started = { block, child, output: () => output, errors: () => errors, ended };
  running.add(started);
  return started;
}

const signal = ({ child }: Started, name: 'SIGINT' | 'SIGKILL'): void => {
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
    process.kill(-child.pid, name);
};

const skipped = ({ language }: Block): boolean => language === 'python' && python === null;

/** Runs a block to its end. @throws AssertionError if it fails, or prints something else */
async function run(block: Block): Promise<void> {
  if (skipped(block)) return;
  const started = start(block);
  const code = await started.ended;
  const told = `${block.guide}:\n${block.code}\n${started.output()}${started.errors()}`;
  assert.equal(code, 0, told);
  if (block.expected !== null) {
    // Ignore warnings about stores that the other guides keep busy, and their orders.
    const output = started.output().replaceAll(/^(?:warning|waiting|skipped) .*\n/gm, '');
    assert.match(output, patternOf(block, '\\s*$'), told);
  }
}

/**
 * Stops a worker after its delivery, during the dispute window, then starts it again: the second run finishes the order.
 * @param last output after which the second run is stopped; if it is missing, the run ends by itself
 */
async function runInterrupted(block: Block, last?: RegExp): Promise<void> {
  if (skipped(block)) return;
  const first = start(block);
  await comes('a delivery', () => {
    assert.equal(first.child.exitCode, null, first.output() + first.errors());
    return /^delivered /m.test(first.output()) || null;
  });
  signal(first, 'SIGINT');
  assert.equal(await first.ended, 0, first.errors());
  if (last === undefined) {
    await run(block);
    return;
  }
  const second = start(block);
  await comes(String(last), () => {
    assert.equal(second.child.exitCode, null, second.output() + second.errors());
    return last.test(second.output()) || null;
  });
  signal(second, 'SIGINT');
  assert.equal(await second.ended, 0, second.errors());
}

/** Runs the Python examples as a stranger would. The JavaScript ones are tested with the SDK. */
describe('guides and examples', { concurrency: true }, () => {
  test('each takes the node from NET_URL, and says so', () => {
    for (const { name } of GUIDES.filter((guide) => guide.name !== 'operate')) {
      const text = readFileSync(join(FOLDER, `${name}.md`), 'utf8');
      assert.match(text, /export NET_URL=/, name);
      for (const { language, code } of blocksOf(name)) {
        if (language !== 'sh') assert.ok(!code.includes(DEV), `${name}: ${code}`);
      }
    }
  });

  describe('examples in Python', { concurrency: true }, () => {
    const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.py'));
    const blockOf = (name: string): Block => ({
      guide: name,
      language: 'python',
      code: readFileSync(join(EXAMPLES, name), 'utf8'),
      untilStopped: false,
      expected: null,
    });
    test('are those of JavaScript, each of at most twenty lines', () => {
      const scripts = readdirSync(EXAMPLES).filter((name) => name.endsWith('.mjs'));
      assert.deepEqual(
        names.toSorted(),
        scripts.map((name) => name.replace('.mjs', '.py')).toSorted(),
      );
      for (const name of names) {
        const lines = blockOf(name).code.trimEnd().split('\n').length;
        assert.ok(lines <= 20, `${name} has ${lines}`);
      }
    });
    test('earn.py is paid', inCampaign, async () => {
      await runInterrupted(blockOf('earn.py'), /^paid {2}.*amount: 10000000/m);
    });
    test('talk.py gets an answer', inCampaign, async () => {
      const expected = 'house-echo says: You said: Are you there?';
      await run({ ...blockOf('talk.py'), expected });
    });
    test('remember.py resumes from its memory', inCampaign, async () => {
      for (const run1 of ['run 1', 'run 2']) {
        await run({
          ...blockOf('remember.py'),
          expected: `…${run1} is remembered in generation …`,
        });
      }
    });
  });

  // Its agents accept any order that requires nothing, such as one of the guide on services.
  const areTwentyLinesOver = Promise.withResolvers<void>();
  describe('the twenty lines that are promised, with a filter of nothing but skills', () => {
    after(() => areTwentyLinesOver.resolve());
    // `npm test` plays the twenty lines of Python.
    for (const { language, agentId, before: given, program } of plays(TWENTY_LINES.slice(0, 1), [
      ...TWENTY_LINES,
    ])) {
      test(`${agentId} in ${language} is paid, answers and remembers`, async () => {
        const guide = 'twenty-lines';
        const code = given + program;
        assert.ok(code.trimEnd().split('\n').length <= 20);
        const block: Block = { guide, language, code, untilStopped: true, expected: null };
        if (skipped(block)) return;
        const started = start(block);
        const told = (): string => started.output() + started.errors();
        try {
          const client = new NetClient({ url: facts.url });
          await comes(`${agentId} to be found`, async () => {
            assert.equal(started.child.exitCode, null, told());
            const { beacons } = await client.read('/v1/discovery', { agentId });
            return beacons.length > 0 || null;
          });
          const question = { ...block, language: 'sh' as const, untilStopped: false };
          const asker = `asks-${agentId}`;
          question.code = `npx netd join ${asker} "asks" --url ${DEV} >joined.txt && npx netd message ${agentId} "Which?" --ask --as ${asker} --url ${DEV}\n`;
          await run({ ...question, expected: '…The fourth.' });
          const paid = await comes(`${agentId} to be paid`, async () => {
            assert.equal(started.child.exitCode, null, told());
            const { events } = await client.read('/v1/events', {
              agent: agentId,
              type: 'WorkOrderPaid',
            });
            return events[0] ?? null;
          });
          const { orders } = await client.read('/v1/work-orders', { agentId, limit: 100 });
          const types = new Set(orders.map(({ jobType }) => jobType));
          assert.deepEqual([...types], ['research'], 'it took nothing that it cannot do');
          const { account } = await client.read('/v1/agents/{agentId}', { agentId });
          assert.ok(account.balance >= 10_000_000, JSON.stringify(paid));
          await comes('a checkpoint of its memory', async () => {
            const { checkpoints } = await client.read('/v1/memory/checkpoints', { agentId });
            return checkpoints.length > 0 || null;
          });
        } finally {
          signal(started, 'SIGINT');
        }
        assert.equal(await started.ended, 0, told());
        assert.doesNotMatch(told(), /failed|given up|RESULT_UNMET|JOB_FAILED/);
      });
    }
  });

  // Most of them wait. More at once would delay each other.
  describe('docs/guides', { concurrency: 5 }, () => {
    for (const [index, { name }] of GUIDES.entries()) {
      test(name, async () => {
        if (name === 'sell') await areTwentyLinesOver.promise;
        const left = plays(index % 2 === 0 ? 'js' : 'python', '');
        const blocks = blocksOf(name).filter(
          ({ language, untilStopped }) => language !== left || untilStopped,
        );
        const beside: Started[] = [];
        try {
          // A server may need the programs above it.
          const first = blocks.findIndex(({ untilStopped }) => untilStopped);
          const above = blocks
            .slice(0, Math.max(first, 0))
            .filter(({ language, code }) => language === 'sh' && !isInstall(code));
          for (let time = 0; time < TIMES; time++) for (const block of above) await run(block);
          for (const { isFile, code } of blocks) if (isFile) writeNamed(code);
          for (const block of blocks.filter(({ untilStopped }) => untilStopped)) {
            const started = start(block);
            beside.push(started);
            const pattern = patternOf(block, '');
            await comes(`${name}: ${block.code}`, () => {
              assert.equal(started.child.exitCode, null, started.output() + started.errors());
              return pattern.test(started.output()) || null;
            });
          }
          const rest = blocks.filter(
            (block) =>
              !block.untilStopped &&
              !block.isFile &&
              !isInstall(block.code) &&
              !above.includes(block),
          );
          const lanes = Object.keys(ENDINGS).map((language) =>
            rest.filter((block) => block.language === language),
          );
          await Promise.all(
            lanes.map(async (lane) => {
              for (const block of lane) {
                if (name === 'get-paid' && block.language !== 'sh') await runInterrupted(block);
                else for (let time = 0; time < TIMES; time++) await run(block);
              }
            }),
          );
          for (const started of beside.toReversed()) {
            signal(started, 'SIGINT');
            assert.equal(await started.ended, 0, started.output() + started.errors());
            const { atTheEnd: expected } = started.block;
            if (expected !== undefined)
              assert.match(started.output(), patternOf({ ...started.block, expected }, ''));
          }
        } finally {
          for (const started of beside) signal(started, 'SIGKILL');
        }
      });
    }
  });
});

test('the table has every guide there is', () => {
  assert.deepEqual(
    readdirSync(FOLDER).toSorted(),
    GUIDES.map(({ name }) => `${name}.md`).toSorted(),
  );
});

test('each guide is a screen or two, links to guides only, and is in TypeScript or JavaScript and in Python', () => {
  for (const { name, title } of GUIDES) {
    const text = readFileSync(join(FOLDER, `${name}.md`), 'utf8');
    assert.ok(text.startsWith(`# ${title}\n`), name);
    for (const [, link = ''] of text.matchAll(/\]\(([^)]*)\)/g)) {
      assert.ok(
        GUIDES.some((guide) => `${guide.name}.md` === link),
        `${name}: ${link}`,
      );
    }
    const languages = new Set(blocksOf(name).map(({ language }) => language));
    assert.ok(languages.has('js') && languages.has('python'), name);
  }
});
