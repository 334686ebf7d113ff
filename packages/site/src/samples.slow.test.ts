/** Runs every sample of the reference as served: curl, TypeScript, Python, netd. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { inCampaign } from '@netd/protocol/testing';
import { serve, type RunningNode } from '@netd/node';
import { AgentKey, NetClient } from '@netd/sdk';
import { pythonSdkEnvironment } from '../../../scripts/python-environment.ts';
import { ROOT } from './page.ts';
import { actionContract, toolContract } from './reference/contract.ts';
import { PARAMETERS } from './reference/examples.ts';

const run = promisify(execFile);
const skip = existsSync(join(ROOT, 'packages/site/dist/manifest.json'))
  ? false
  : 'the documentation has not been built: npm run build';

/** Valid samples about records that a young chain lacks. */
const NOT_THERE =
  /"code": ?"[A-Z_]*(?:NOT_FOUND|UNKNOWN|NOT_HELD|UNAVAILABLE)"|\b[A-Z_]+_(?:NOT_FOUND|UNKNOWN|UNAVAILABLE)\b/;
const WRONG =
  /ROUTE_NOT_FOUND|PARAMETER_INVALID|ENVELOPE_INVALID|PAYLOAD_INVALID|ACTION_UNKNOWN|SyntaxError|TypeError/;

const home = mkdtempSync(join(tmpdir(), 'netd-samples-'));
const env: NodeJS.ProcessEnv = {
  HOME: home,
  PATH: [join(home, 'bin'), process.env['PATH']].join(delimiter),
  NET_KEY_DIR: join(home, 'keys'),
  PYTHONPATH: join(ROOT, 'clients/python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
};
let node: RunningNode;
let python: string | null = null;
/** Hashes in samples, with their real ones. */
const real = new Map<string, string>();

before(async () => {
  if (skip !== false) return;
  python = await pythonSdkEnvironment('the Python of the reference');
  node = await serve({ host: '127.0.0.1', port: 0, dataDir: join(home, 'node'), blockTime: 1 });
  mkdirSync(join(home, 'node_modules'));
  mkdirSync(join(home, 'bin'));
  symlinkSync(join(ROOT, 'packages/sdk'), join(home, 'node_modules/net-sdk'));
  symlinkSync(join(ROOT, 'packages/cli/bin/netd.mjs'), join(home, 'bin/netd'));
  symlinkSync(process.execPath, join(home, 'bin/node'));
  const client = new NetClient({ url: node.url });
  for (const actorId of ['ada', 'alice', 'bob']) {
    await client.register({ actorId, key: await AgentKey.generate() });
  }
  const { transitions } = await client.read('/v1/blocks/{height}', { height: 1 });
  const { certificateHash } = await client.read('/v1/consensus/certificates/latest', {});
  real.set(PARAMETERS['transitionHash'] ?? '', transitions[0]?.transitionHash ?? '');
  real.set(PARAMETERS['certificateHash'] ?? '', certificateHash);
});
after(async () => {
  await node?.stop();
  rmSync(home, { recursive: true, force: true });
});

interface Sample {
  page: string;
  language: string;
  code: string;
}

/** The samples below a heading, with real hashes. */
async function samplesOf(page: string, heading: string): Promise<Sample[]> {
  const answer = await fetch(`${node.url}${page}.md`);
  assert.equal(answer.status, 200, page);
  const section = (await answer.text()).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^```(\w+)\n(.*?)\n```$/gms)].map(([, language = '', code = '']) => {
    let filled = code;
    for (const [example, known] of real) filled = filled.replaceAll(example, known);
    return { page, language, code: filled };
  });
}

/**
 * Runs each sample in a shell.
 * @returns output that ends with the exit code
 */
async function inShell(samples: readonly Sample[]): Promise<string[]> {
  const said: string[] = [];
  for (const { code } of samples) {
    const { stdout, stderr } = await run('sh', ['-c', `cd "$HOME" && ${code}`], {
      env,
      maxBuffer: 64 * 1_048_576,
    }).catch((error: { stdout: string; stderr: string }) => error);
    said.push(stdout + stderr);
  }
  return said;
}

/** @returns what each program threw */
async function inOne(samples: readonly Sample[], suffix: 'mts' | 'py'): Promise<string[]> {
  const files = samples.map(({ code }, index) => {
    const name = `sample-${index}.${suffix}`;
    writeFileSync(join(home, name), `${code}\n`);
    return name;
  });
  const mark = '\u0001';
  const list = JSON.stringify(files);
  const runner =
    suffix === 'mts'
      ? `for (const file of ${list}) {
  await import('./' + file).catch((error) => console.log(String(error.code), String(error)));
  console.log(${JSON.stringify(mark)});
}`
      : `import runpy
for file in ${list}:
    try:
        runpy.run_path(file)
    except Exception as error:
        print(getattr(error, "code", ""), repr(error))
    print(${JSON.stringify(mark)})
`;
  writeFileSync(join(home, `runner.${suffix}`), runner);
  const program = suffix === 'mts' ? process.execPath : join(python ?? '', 'python');
  const { stdout } = await run(program, [`runner.${suffix}`], {
    cwd: home,
    env,
    maxBuffer: 256 * 1_048_576,
  });
  const said = stdout.split(`${mark}\n`);
  assert.equal(said.pop(), '');
  assert.equal(said.length, files.length);
  return said;
}

function assertRight(samples: readonly Sample[], said: readonly string[]): void {
  for (const [index, { page, code }] of samples.entries()) {
    const text = said[index] ?? '';
    assert.ok(text.trim().length > 0, `${page} says nothing:\n${code}`);
    assert.doesNotMatch(text.slice(0, 2_000), WRONG, `${page}\n${code}\n${text.slice(0, 500)}`);
  }
}

test('every read is asked as its page says', { skip }, async () => {
  const description = (await (await fetch(`${node.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
  };
  const ids = Object.values(description.paths)
    .flatMap((item) => (item['get'] ? [item['get']] : []))
    .filter(({ tags }) => !tags.includes('downloads'))
    .map(({ operationId }) => operationId);
  const samples = (await Promise.all(ids.map((id) => samplesOf(`/docs/api/${id}`, 'Ask')))).flat();
  for (const id of ids)
    assert.ok(
      samples.some(({ page }) => page.endsWith(`/${id}`)),
      id,
    );
  const shell = samples.filter(({ language }) => language === 'sh');
  const said = await inShell(shell);
  assertRight(shell, said);
  let missing = said.filter((text) => NOT_THERE.test(text.slice(0, 400))).length;
  assert.ok(missing < 15, `${missing} reads found nothing`);
  for (const [language, suffix] of [
    ['ts', 'mts'],
    ['python', 'py'],
  ] as const) {
    if (language === 'python' && python === null) continue;
    const programs = samples.filter((sample) => sample.language === language);
    assert.ok(programs.length > 60, language);
    const answers = await inOne(programs, suffix);
    assertRight(programs, answers);
    missing = answers.filter((text) => NOT_THERE.test(text.slice(0, 400))).length;
    assert.ok(missing < 15, `${missing} reads found nothing in ${language}`);
  }
});

test('every action is tried as its page says', { skip }, async () => {
  const { actions } = actionContract();
  const samples = (
    await Promise.all(actions.map(({ name }) => samplesOf(`/docs/actions/${name}`, 'Try it')))
  ).flat();
  const curl = samples.filter(({ code }) => code.startsWith('curl'));
  assert.equal(curl.length, actions.length);
  assertRight(curl, await inShell(curl));
  const typescript = samples.filter(({ language }) => language === 'ts');
  assertRight(typescript, await inOne(typescript, 'mts'));
  if (python !== null) {
    const programs = samples.filter(({ language }) => language === 'python');
    assertRight(programs, await inOne(programs, 'py'));
  }
  // Runs only some, because one function makes all.
  const netd = samples.filter(({ code }) =>
    /^netd act \w+ (?:faucet|transfer|grantSession) /.test(code),
  );
  assert.equal(netd.length, 3);
  assertRight(netd, await inShell(netd));
});

test(
  'an action is done as its page says, in each language',
  { skip: skip || inCampaign.skip },
  async () => {
    const samples = await samplesOf('/docs/actions/faucet', 'Do it');
    assert.deepEqual(
      samples.map(({ language }) => language),
      ['ts', 'python', 'sh'],
    );
    // The actor's key is not here, so each language uses a new actor.
    const actor = /open\('([^']+)'/.exec(samples[0]?.code ?? '')?.[1] ?? assert.fail();
    const named = (index: number, name: string): Sample => {
      const sample = samples[index] ?? assert.fail();
      return { ...sample, code: sample.code.replaceAll(new RegExp(`\\b${actor}\\b`, 'g'), name) };
    };
    assert.match((await inOne([named(0, 'dora')], 'mts')).join(), /transitionHash/);
    if (python !== null) {
      assert.match((await inOne([named(1, 'dolf')], 'py')).join(), /transition_?[hH]ash/);
    }
    const netd = named(2, 'dana');
    const first = [
      `netd join dana "reads papers" --url ${node.url}`,
      `netd act dana extendAgentCapabilities actions=faucet --url ${node.url}`,
    ].map((code) => ({ ...netd, code }));
    assert.match((await inShell([...first, netd])).at(-1) ?? '', /height|committed|block/i);
  },
);

test(
  'the operator acts as the page of resolveDispute says, in each language',
  { skip },
  async () => {
    const samples = (await samplesOf('/docs/actions/resolveDispute', 'Do it')).map((sample) => ({
      ...sample,
      code: sample.code.replaceAll('.netd/keys/', 'node/keys/'),
    }));
    const [ts, py, sh] = samples;
    assert.ok(ts && py && sh);
    const said = [...(await inOne([ts], 'mts')), ...(await inShell([sh]))];
    if (python !== null) said.push(...(await inOne([py], 'py')));
    for (const text of said) assert.match(text, /WORK_ORDER_UNKNOWN|unknown work order/);
  },
);

test('every tool of the node is called as its page says', { skip }, async () => {
  const names = toolContract().node.map(({ name }) => name);
  const samples = (
    await Promise.all(names.map((name) => samplesOf(`/docs/tools/${name}`, 'Call')))
  ).flat();
  assert.equal(samples.length, names.length);
  for (const [index, text] of (await inShell(samples)).entries()) {
    assert.match(text, /"result"/, `${names[index]}: ${text}`);
    assert.doesNotMatch(
      text,
      /Invalid arguments|ARGUMENTS_INVALID|"error"/,
      `${names[index]}: ${text}`,
    );
  }
});
