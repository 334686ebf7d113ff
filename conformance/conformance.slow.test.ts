/** The command against a real node with its defaults, and against a node that breaks requirements. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inCampaign, until } from '@netd/protocol/testing';
import { NO_PYTHON } from './checks/downloads.ts';
import type { ProxiedAnswer } from './lies/lie.ts';
import { startLyingProxy, type LyingProxy } from './lies/lying-proxy.ts';
import { startNetd, type NetdProcess } from './testing/netd-process.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

let node: NetdProcess;
let url: string;
let dataDir: string;

before(async () => {
  node = await startNetd();
  ({ url, dataDir } = node);
});
after(() => node.stop());

function conformance(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (output += part));
    }
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Starts a proxy that changes the node's answers. */
async function liarWho(change: (answer: ProxiedAnswer) => void): Promise<LyingProxy> {
  const liar = await startLyingProxy(url);
  liar.tell({
    name: 'what the test says',
    breaks: [],
    tell: (answer) => {
      change(answer);
      return true;
    },
  });
  return liar;
}

describe('against a node as it is', () => {
  // `npm test` asks it of a node in its own process, and a build of a node with the house, below.
  test('everything holds on an empty chain', inCampaign, async () => {
    const { code, output } = await conformance('--url', url, '--data-dir', dataDir);
    assert.equal(code, 0, failuresIn(output));
    assert.deepEqual(skippedIn(output), []);
  });

  test(
    'everything holds again on a chain with a lot in it; what needs the operator is skipped',
    inCampaign,
    async () => {
      const { code, output } = await conformance('--url', `${url}/`);
      assert.equal(code, 0, failuresIn(output));
      assert.match(output, /– .*\n {4}why: {2}needs the operator: name --data-dir/);
    },
  );
});

describe('against a node as npm start gives it', () => {
  test('everything holds beside the house', async (t) => {
    const staffed = await startNetd({ staffed: true });
    t.after(() => staffed.stop());
    // The house is there once its echo can be found: its words are not in their normal form.
    const echo = `${staffed.url}/v1/discovery?agentId=house-echo`;
    await until(async () => (await (await fetch(echo)).text()).includes('NET-AGENT-MESSAGE/1'));
    const { code, output } = await conformance('--url', staffed.url, '--data-dir', staffed.dataDir);
    assert.equal(code, 0, failuresIn(output));
    assert.deepEqual(skippedIn(output), []);
  });
});

describe('against a node that breaks its word', () => {
  test('a wrong state root fails just that, with what was seen', async () => {
    const liar = await liarWho((answer) => {
      if (answer.path === '/health') {
        answer.text = answer.text.replace(/"stateRoot":"../, '"stateRoot":"zz');
      }
    });
    try {
      const { code, output } = await conformance('--url', liar.url, '--only', 'get.health');
      assert.equal(code, 1);
      assert.match(output, /✖ health, with the state root of a block {2}\[get.health/);
      assert.match(output, /\+ +'zz/);
      assert.match(output, /seen: GET \/v1\/blocks\/\d+ → 200 .*"blockHash":/);
      assert.match(output, /✖ get.health {2}/);
    } finally {
      await liar.close();
    }
  });

  test('notices a response that contradicts its description, whichever check asks', async () => {
    const liar = await liarWho((answer) => {
      if (answer.path.startsWith('/v1/tokens')) {
        answer.text = answer.text.replace('"total":', '"sum":');
      }
    });
    try {
      const only = ['--only', 'get.tokens', '--only', 'discovery.openapi.true'];
      const { code, output } = await conformance('--url', liar.url, ...only);
      assert.equal(code, 1);
      assert.match(output, /✖ discovery.openapi.true/);
      assert.match(output, /GET \/v1\/tokens 200 is not as described/);
    } finally {
      await liar.close();
    }
  });

  test('a status that is not described, and a limit that is not kept', async () => {
    const liar = await liarWho((answer) => {
      if (answer.path.startsWith('/v1/blocks?limit=0')) answer.status = 418;
    });
    try {
      const only = ['--only', 'limit.blocks', '--only', 'discovery.openapi.true'];
      const { code, output } = await conformance('--url', liar.url, ...only);
      assert.equal(code, 1);
      assert.match(output, /✖ limit.blocks/);
      assert.match(output, /418 is not described/);
    } finally {
      await liar.close();
    }
  });
});

describe('wrong usage', () => {
  for (const [what, args, sentence] of [
    ['no address', [], /--url is missing/],
    ['an address that is none', ['--url', 'node'], /node is no address/],
    ['nobody there', ['--url', 'http://127.0.0.1:9'], /no node answers at http:\/\/127.0.0.1:9/],
    ['an unknown id', ['--url', 'http://x', '--only', 'nothing'], /begins with nothing/],
    ['an unknown option', ['--uri', 'http://x'], /--uri/],
  ] as const) {
    test(`${what} is exit code 2 and a sentence`, () => {
      const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
      assert.equal(status, 2);
      assert.match(stderr, sentence);
    });
  }
});

/** Why checks were skipped, beside those that need Python. */
const skippedIn = (output: string): string[] =>
  (output.match(/(?<=^– .*\n {4}why: {2}).*/gm) ?? []).filter((why) => why !== NO_PYTHON);

const failuresIn = (output: string): string =>
  output
    .split('\n')
    .filter((line) => /^(✖| {4})/.test(line))
    .join('\n');
