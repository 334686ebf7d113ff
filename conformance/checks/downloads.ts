/** Downloads as a visitor gets them: the watcher and the Python SDK. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sha256Hex } from '@netd/protocol';
import { pythonSdkEnvironment } from '../../scripts/python-environment.ts';
import { check } from '../check.ts';
import type { Network } from '../network.ts';
import { Skip } from '../skip.ts';

const run = promisify(execFile);
const TIMEOUT = 60_000;

/** The one reason to skip that every machine may have. */
export const NO_PYTHON = 'needs Python, and the packages of clients/python/requirements.txt';

/** Names as in the interface. */
const ARTIFACTS = [
  'agent join client',
  'opportunity watcher',
  'JavaScript SDK',
  'Python SDK',
  'follower node',
  'agent skill archive',
  'operator handoff',
  'launch kit',
  'full release archive',
];

interface Listed {
  path: string;
  summary: string;
  sha256: string;
  byteLength: number;
}

const listed = async (net: Network): Promise<Listed[]> =>
  (await net.http.document('/v1/manifest'))['clients'] as unknown as Listed[];

async function bytesOf(net: Network, path: string): Promise<Buffer> {
  const answer = await fetch(net.url + path, { signal: AbortSignal.timeout(TIMEOUT) });
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
}

/** Runs `use` in a temporary directory. */
async function inDirectory<Answer>(use: (directory: string) => Promise<Answer>): Promise<Answer> {
  const directory = mkdtempSync(join(tmpdir(), 'netd-conformance-'));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Arguments: the node's address and the name to register. Prints its observations as JSON. */
const PYTHON = `
import json, sys
import netsdk
url, name = sys.argv[1:]
with netsdk.NetClient(url, actor_id=name, key=netsdk.AgentKey.generate()) as client:
    network = client.network()
    registered = client.register("came from Python")
    receipt = client.act("extendAgentCapabilities", {"actions": ["faucet"]})
    try:
        client.act("faucet", {"amount": 0})
        refused = None
    except netsdk.NetError as error:
        refused = error.code
    away = client.compare_trust_reports(["http://127.0.0.1:9"])
    print(json.dumps({
        "from": netsdk.__file__, "chainId": network["chainId"], "refused": refused,
        "agent": client.read("/v1/agents/{agentId}", agentId=name)["agent"]["agentId"],
        "hash": receipt["transitionHash"], "report": client.agent_trust()["schema"],
        "verdict": away.verdict, "origins": [origin.status for origin in away.origins],
    }))
`;

export const DOWNLOAD_CHECKS = [
  check(
    'what the manifest lists for download has the bytes it names',
    ['discovery.other-artifacts', 'discovery.artifact-hashes'],
    async (net) => {
      const files = await listed(net);
      for (const name of ['net-join.mjs', 'net-opportunity-watch.mjs', 'net-sdk.mjs', '.whl']) {
        assert.ok(
          files.some(({ path }) => path.endsWith(name)),
          `the manifest lists no ${name}`,
        );
      }
      for (const { path, sha256, byteLength } of files) {
        const bytes = await bytesOf(net, path);
        assert.deepEqual([bytes.length, sha256Hex(bytes)], [byteLength, sha256], path);
      }
    },
  ),

  check(
    'each artefact of the interface is listed, or said not to be there',
    ['discovery.all-artifacts'],
    async (net) => {
      const { missing } = (await net.http.document('/v1/manifest')) as unknown as {
        missing: { path: string; summary: string }[];
      };
      const summaries = [...(await listed(net)), ...missing].map(({ summary }) => summary);
      const said = summaries.join('\n').toLowerCase();
      for (const name of ARTIFACTS) {
        assert.ok(said.includes(name.toLowerCase()), `nothing is said of the ${name}`);
      }
      for (const { path } of missing) {
        const { status, text } = await net.http.get(path);
        assert.equal(status, 404, path);
        assert.match(text, /"DOWNLOAD_NOT_BUILT"/, path);
      }
    },
  ),

  check(
    'the opportunity watcher reports an order from the node alone, proven',
    ['client.watch'],
    async (net) => {
      const requester = await net.spender('asks-watcher');
      const orderId = net.fresh('watched');
      await net.does(requester, 'createWorkOrder', {
        orderId,
        title: 'Read it',
        scopeHash: 'cd'.repeat(32),
        jobType: net.id('watching'),
        requirements: ['reading'],
        funding: 1_000_000,
      });
      const { genesisHash } = (await net.status()) as unknown as { genesisHash: string };
      await inDirectory(async (directory) => {
        const program = join(directory, 'watch.mjs');
        writeFileSync(program, await bytesOf(net, '/downloads/net-opportunity-watch.mjs'));
        const watch = [program, '--url', net.url, '--genesis', genesisHash, '--once', '--json'];
        const cursor = ['--cursor', join(directory, 'cursor.json')];
        const options = { timeout: TIMEOUT, cwd: directory, maxBuffer: 1e8 };
        const { stdout } = await run(process.execPath, [...watch, ...cursor], options);
        const facts = stdout.split('\n').filter((line) => line.includes(orderId));
        assert.equal(facts.length, 1, `${orderId} is not reported once`);
        const again = await run(process.execPath, [...watch, ...cursor], options);
        assert.ok(!again.stdout.includes(orderId), 'it is reported again');
      });
    },
  ),

  check(
    'the Python SDK that the node hands out reads, signs, submits and compares',
    ['client.python', 'client.python.act', 'client.python.compare'],
    async (net) => {
      const programs = await pythonSdkEnvironment('the Python SDK');
      if (programs === null) throw new Skip(NO_PYTHON);
      const wheel = (await listed(net)).find(({ path }) => path.endsWith('.whl'));
      assert.ok(wheel, 'the manifest lists no wheel');
      await inDirectory(async (directory) => {
        const file = join(directory, 'netsdk.zip');
        writeFileSync(file, await bytesOf(net, wheel.path));
        const python = join(programs, 'python');
        const options = { timeout: TIMEOUT, cwd: directory, env: { PYTHONPATH: directory } };
        await run(python, ['-m', 'zipfile', '-e', file, directory], options);
        const name = net.fresh('uses-python');
        const { stdout } = await run(python, ['-c', PYTHON, net.writer, name], options);
        const seen = JSON.parse(stdout) as Record<string, unknown>;
        assert.ok(String(seen['from']).startsWith(directory), 'it is another netsdk');
        assert.equal(seen['chainId'], (await net.status()).chainId);
        assert.equal(seen['agent'], name);
        assert.equal(seen['refused'], 'PAYLOAD_INVALID');
        assert.equal(seen['report'], 'NET-AGENT-TRUST-REPORT/1');
        // An unreachable origin cannot agree.
        assert.equal(seen['verdict'], 'incomplete');
        await net.http.heard(); // The script wrote it, perhaps to another node.
        const known = await net.http.document(`/v1/transitions/${String(seen['hash'])}`);
        assert.ok(JSON.stringify(known).includes(name));
      });
    },
  ),
];
