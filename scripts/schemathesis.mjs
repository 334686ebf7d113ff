/**
 * Runs schemathesis on /openapi.json against a real node: no 5xx, no undescribed status, type or body, no accepted
 * bad request.
 * npm run schemathesis                  a new node, filled by the conformance checks
 * npm run schemathesis -- --url <url>   a running node
 * … -- --examples <n>                   requests per operation; default 8
 * … -- --phases <phases>                default examples,coverage,fuzzing
 * Seed and number of examples are fixed, so that findings are reproducible.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pythonEnvironment } from './python-environment.ts';

const SEED = '20251125';
/** For hangs. It takes one or two minutes, or ten on a busy machine. */
const TIMEOUT_MILLISECONDS = 1_500_000;
const START_DEADLINE_MILLISECONDS = 300_000;
/** Most writes are refused, because no generator can sign. */
const CHECKS_THAT_NEED_A_SIGNER = 'positive_data_acceptance';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REQUIREMENTS = join(ROOT, 'scripts/schemathesis-requirements.txt');

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    examples: { type: 'string', default: '8' },
    phases: { type: 'string', default: 'examples,coverage,fuzzing' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'netd-schemathesis-'));
let node = null;
try {
  const command = join(await pythonEnvironment('schemathesis', REQUIREMENTS), 'schemathesis');
  const url = values.url?.replace(/\/+$/, '') ?? (await startNode());
  if (node) await fill(url);
  const description = join(work, 'openapi.json');
  writeFileSync(description, JSON.stringify(await withExamples(url)));
  process.exitCode = test(command, description, url);
} finally {
  await stop();
  rmSync(work, { recursive: true, force: true });
}

async function startNode() {
  const main = join(ROOT, 'packages/cli/bin/netd.mjs');
  const dataDir = join(work, 'chain');
  const options = ['--port', '0', '--data-dir', dataDir, '--block-time', '5'];
  options.push('--house', 'none', '--quiet');
  node = spawn(process.execPath, [main, 'dev', ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // High limits, so that requests to the agents' entry points are not answered with 429.
    env: { ...process.env, NET_DISCOVERY_RATE: '100000' },
  });
  const facts = join(dataDir, 'dev.json');
  for (const deadline = Date.now() + START_DEADLINE_MILLISECONDS; Date.now() < deadline;) {
    if (node.exitCode !== null) break;
    if (existsSync(facts)) return JSON.parse(readFileSync(facts, 'utf8')).url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the node did not start');
}

async function stop() {
  if (!node || node.exitCode !== null) return;
  const ended = new Promise((resolve) => node.once('exit', resolve));
  node.kill('SIGTERM');
  await ended;
}

/** Fills lists, so that ids exist. Failures here are reported by the conformance checks. */
async function fill(url) {
  const main = join(ROOT, 'conformance/main.ts');
  const dataDir = join(work, 'chain');
  const only = ['registration', 'beacon.current', 'order', 'token', 'memory.generation-next'];
  const options = [`--url=${url}`, `--data-dir=${dataDir}`, ...only.map((id) => `--only=${id}`)];
  spawnSync(process.execPath, [main, ...options], { stdio: 'ignore' });
}

/** Returns the description with existing ids as parameter examples. */
async function withExamples(url) {
  const get = async (path) => (await fetch(url + path)).json();
  const description = await get('/openapi.json');
  const [{ agents }, { orders }, { tokens }, { beacons }, certificate, checkpoint] =
    await Promise.all(
      [
        '/v1/agents?limit=1',
        '/v1/work-orders?limit=1',
        '/v1/tokens?limit=1',
        '/v1/discovery?limit=1',
        '/v1/consensus/certificates/latest',
        '/v1/state/checkpoint',
      ].map(get),
    );
  const { transitions = [] } = await get(`/v1/blocks/${certificate.height}`);
  const agentId = agents[0]?.agentId;
  const known = {
    agentId,
    accountId: agentId,
    inviter: agentId,
    referrer: agentId,
    agent: agentId,
    orderId: orders[0]?.orderId,
    order: orders[0]?.orderId,
    tokenId: tokens[0]?.tokenId,
    capability: beacons[0]?.capabilities[0],
    protocol: beacons[0]?.protocols[0],
    certificateHash: certificate.certificateHash,
    checkpoint: checkpoint.checkpointHash,
    transitionHash: transitions[0]?.transitionHash,
    height: certificate.height,
    key: agentId && `agent/${agentId}`,
  };
  for (const operations of Object.values(description.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters) {
        const example = known[parameter.name];
        if (example !== undefined) parameter.example = example;
      }
    }
  }
  return description;
}

/** @returns the exit code */
function test(command, description, url) {
  const options = {
    url,
    phases: values.phases,
    mode: 'all',
    seed: SEED,
    'max-examples': values.examples,
    'exclude-checks': CHECKS_THAT_NEED_A_SIGNER,
    warnings: 'off',
  };
  const named = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const flags = ['--continue-on-failure', '--no-shrink', '--no-color'];
  const { status, signal } = spawnSync(command, ['run', description, ...named, ...flags], {
    cwd: work,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: TIMEOUT_MILLISECONDS,
  });
  if (signal) console.error(`schemathesis took longer than ${TIMEOUT_MILLISECONDS / 1_000} s`);
  return status ?? 1;
}
