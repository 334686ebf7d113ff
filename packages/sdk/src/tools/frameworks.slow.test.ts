/**
 * A model of each framework, scripted by the framework's own doubles, pays with the tools of an agent on a laboratory; and vitest
 * runs the fixture of docs/models.md. Frameworks are installed once, into folders of the cache. If that takes more than
 * a minute and a half (five in the campaign), their tests are skipped and say so, also in CI.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sha256Hex, UNET_PER_NET } from '@netd/protocol';
import { inCampaign, plays } from '@netd/protocol/testing';
import { tempDir } from '@netd/testkit/temp-dir';
import type { Agent } from '../index.ts';
import { startNetwork, type Network } from '../test/index.ts';
import {
  AgentToolsError,
  langchainTools,
  openaiTools,
  openTools,
  vercelTools,
  type AgentTools,
} from './index.ts';
import {
  cachedEnvironment,
  installPackages,
  runToEnd,
} from '../../../../scripts/cached-environment.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const NETD = here('../../../cli/bin/netd.mjs');
const FRAMEWORKS = {
  '@langchain/core': '1.4.0',
  '@openai/agents': '0.20.0',
  ai: '7.0.173',
  vitest: '5.1.1',
  zod: '4.6.7',
};
const PATIENCE = 600_000;
/** A quiet machine takes half a minute for both languages. */
const MOST_TO_INSTALL = plays(90_000, 300_000);
const REQUIREMENTS = here('../../../../clients/python/frameworks.txt');

interface ToolOfContract {
  name: string;
  description: string;
  inputSchema: object;
  needs: string[];
}
const CONTRACT = (
  JSON.parse(readFileSync(here('../../../../contract/tools.json'), 'utf8')) as {
    signer: ToolOfContract[];
  }
).signer;

/** Types of frameworks that are not here when this is compiled. */
type Foreign = any; // oxlint-disable-line typescript/no-explicit-any

/** @returns the folder, or why there is none */
type Installed = Promise<{ home: string } | { missing: string }>;

async function install(
  name: string,
  pinned: string,
  make: (home: string, signal: AbortSignal) => Promise<void>,
): Installed {
  const signal = AbortSignal.timeout(MOST_TO_INSTALL);
  try {
    const folder = `${name}-${sha256Hex(pinned).slice(0, 12)}`;
    return { home: await cachedEnvironment(folder, (home) => make(home, signal)) };
  } catch (error) {
    const why = signal.aborted ? `not within ${MOST_TO_INSTALL / 1_000} s` : String(error);
    return { missing: `${name} could not be installed: ${why}` };
  }
}

const installJavaScript = (): Installed =>
  install('frameworks', JSON.stringify(FRAMEWORKS), (home, signal) =>
    installPackages(home, FRAMEWORKS, signal),
  );

const installPython = (): Installed =>
  install('python-frameworks', readFileSync(REQUIREMENTS, 'utf8'), async (home, signal) => {
    await runToEnd('python3', ['-m', 'venv', home], signal);
    // Most of it is never imported: compiling would take longer than the download.
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-compile'];
    const args = ['-m', 'pip', 'install', ...quiet, '-r', REQUIREMENTS];
    // If pip is killed, its temporary files stay in the folder, which the next installation removes.
    await runToEnd('env', [`TMPDIR=${home}`, join(home, 'bin/python'), ...args], signal);
  });

describe('the tools of an agent', () => {
  let network: Network;
  let tools: AgentTools;
  const grant = async (): Promise<string> => {
    const { path } = await ada.grantSession({ actions: ['transfer'], budget: '50 NET' });
    assert.ok(path !== null);
    return path;
  };
  let ada: Agent;
  const questions: string[] = [];
  let isGranted = true;
  before(async () => {
    const agents = { ada: { actions: ['transfer'] as const }, bob: {} };
    network = await startNetwork({ netd: NETD, agents, timeout: PATIENCE });
    ada = await network.agent('ada');
    tools = await openTools({
      netd: NETD,
      session: await grant(),
      url: network.url,
      keys: network.agentOptions().keys,
      askAbove: '10 NET',
      approve: async (question) => {
        questions.push(question);
        return isGranted;
      },
    });
  });
  after(async () => {
    await tools.stop();
    await network.stop();
  });

  const payment = (requestId: string, amount = '1 NET'): Record<string, string> => ({
    to: 'bob',
    amount,
    requestId,
  });
  const earned = async (): Promise<number> => (await network.balance('bob')) / UNET_PER_NET - 100;

  test('are those of the contract whose actions the session has', async () => {
    const listed = tools.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const expected = CONTRACT.filter(({ needs }) => needs.every((one) => one === 'transfer'));
    assert.deepEqual(
      listed,
      expected.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    assert.match(tools.instructions, /You act as the agent ada/);
    assert.match(await tools.call('agent_status'), /"agentId":"ada"/);
    await assert.rejects(tools.call('agent_fly'), AgentToolsError);
  });

  test('ask the owner beyond what may go unasked, and take no for an answer', async () => {
    assert.match(await tools.call('agent_pay', payment('a', '9 NET')), /transitionHash/);
    assert.deepEqual(questions, []);
    assert.match(await tools.call('agent_pay', payment('b', '3 NET')), /transitionHash/);
    assert.equal(questions.length, 1);
    assert.match(questions[0] ?? '', /3 NET/);
    isGranted = false;
    assert.match(await tools.call('agent_pay', payment('c', '3 NET')), /APPROVAL_DECLINED/);
    isGranted = true;
    assert.equal(await earned(), 12);
    const alone = await openTools({
      netd: NETD,
      session: await grant(),
      url: network.url,
      keys: network.agentOptions().keys,
    });
    assert.match(await alone.call('agent_pay', payment('d')), /APPROVAL_IMPOSSIBLE/);
    await alone.stop();
    await assert.rejects(alone.call('agent_status'), /netd mcp has ended/);
  });

  test('say why they could not be opened', async (t) => {
    const missing = join(tempDir(t), 'none.json');
    await assert.rejects(openTools({ netd: NETD, session: missing }), (error) => {
      assert.ok(error instanceof AgentToolsError);
      assert.match(error.message, /none\.json/);
      return true;
    });
  });

  test(
    'are called by scripted models of the frameworks',
    { ...inCampaign, timeout: PATIENCE },
    async (t) => {
      const [javaScript, python] = await Promise.all([installJavaScript(), installPython()]);
      const had = await earned();

      await t.test('those of Python', async (sub) => {
        if ('missing' in python) return sub.skip(python.missing);
        const args = [await grant(), network.url, network.agentOptions().keys as string];
        const script = here('testing/frameworks.py');
        const source = here('../../../../clients/python/src');
        const env = { ...process.env, NETD, PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1' };
        const program = join(python.home, 'bin/python');
        const run = promisify(execFile)(program, [script, ...args], { env });
        assert.equal((await run).stdout, '3 paid\n');
        assert.equal((await earned()) - had, 3);
      });

      if ('missing' in javaScript) return t.skip(javaScript.missing);
      const { home } = javaScript;
      const { resolve } = createRequire(join(home, 'package.json'));
      const load = async (name: string): Promise<Foreign> =>
        import(pathToFileURL(resolve(name)).href);
      const pay = CONTRACT.find(({ name }) => name === 'agent_pay');
      const untilNow = await earned();

      await t.test('OpenAI Agents', async () => {
        const { Agent, Runner, tool, Usage } = await load('@openai/agents');
        const args = JSON.stringify(payment('openai'));
        const call = { type: 'function_call', callId: 'c', name: 'agent_pay', arguments: args };
        const content = [{ type: 'output_text', text: 'paid' }];
        const turns = [
          [{ ...call, status: 'completed' }],
          [{ type: 'message', role: 'assistant', status: 'completed', content }],
        ];
        const seen: Foreign[] = [];
        const model = {
          getResponse: async (request: Foreign) => {
            seen.push(request);
            return { usage: new Usage(), output: turns.shift() };
          },
        };
        const { instructions } = tools;
        const agent = new Agent({
          name: 'a',
          instructions,
          model,
          tools: openaiTools(tools, tool),
        });
        const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, 'Pay bob');
        assert.equal(finalOutput, 'paid');
        const shown = seen[0].tools.find(({ name }: { name: string }) => name === 'agent_pay');
        assert.equal(shown.description, pay?.description);
        assert.match(JSON.stringify(seen[1].input.at(-1)), /transitionHash/);
      });

      await t.test('LangChain', async () => {
        const { tool } = await load('@langchain/core/tools');
        const { FakeStreamingChatModel } = await load('@langchain/core/utils/testing');
        const { AIMessageChunk, HumanMessage } = await load('@langchain/core/messages');
        const made: Foreign[] = langchainTools(tools, tool);
        const args = JSON.stringify(payment('langchain'));
        const calls = [{ name: 'agent_pay', args, id: 'c', index: 0, type: 'tool_call_chunk' }];
        const chunk = new AIMessageChunk({ content: '', tool_call_chunks: calls });
        const model = new FakeStreamingChatModel({ chunks: [chunk] }).bindTools(made);
        const said = await model.invoke([new HumanMessage('Pay bob')]);
        const [asked] = said.tool_calls;
        assert.deepEqual(asked.args, payment('langchain'));
        const paying = made.find(({ name }) => name === asked.name);
        assert.deepEqual([paying.description, paying.schema], [pay?.description, pay?.inputSchema]);
        const told = await paying.invoke(asked);
        assert.deepEqual([told.tool_call_id, /transitionHash/.test(told.content)], ['c', true]);
      });

      await t.test('the AI SDK of Vercel', async () => {
        const { generateText, isStepCount, jsonSchema, tool } = await load('ai');
        const { MockLanguageModelV4 } = await load('ai/test');
        const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };
        const turn = (unified: string, part: object): object => ({
          content: [part],
          finishReason: { unified, raw: unified },
          usage: { inputTokens: none, outputTokens: none },
          warnings: [],
        });
        const input = JSON.stringify(payment('vercel'));
        const call = { type: 'tool-call', toolCallId: 'c', toolName: 'agent_pay', input };
        const turns = [turn('tool-calls', call), turn('stop', { type: 'text', text: 'paid' })];
        const model = new MockLanguageModelV4({ doGenerate: async () => turns.shift() });
        const { text } = await generateText({
          model,
          prompt: 'Pay bob',
          tools: vercelTools(tools, { tool, jsonSchema }),
          stopWhen: isStepCount(3),
        });
        assert.equal(text, 'paid');
        const [first, second] = model.doGenerateCalls;
        const shown = first.tools.find(({ name }: { name: string }) => name === 'agent_pay');
        assert.deepEqual(
          [shown.description, shown.inputSchema],
          [pay?.description, pay?.inputSchema],
        );
        assert.match(JSON.stringify(second.prompt.at(-1)), /transitionHash/);
      });

      assert.equal((await earned()) - untilNow, 3);

      await t.test('vitest runs the fixture of docs/models.md', async () => {
        const folder = tempDir(t);
        symlinkSync(join(home, 'node_modules'), join(folder, 'node_modules'));
        const text = readFileSync(here('../../../../docs/models.md'), 'utf8');
        const [, sample = ''] = /```ts vitest\n([^]*?)```/.exec(text) ?? [];
        assert.ok(sample.includes('base.extend'), 'the sample of docs/models.md');
        const source = sample.replace("'net-sdk/test'", JSON.stringify(here('../test/index.ts')));
        writeFileSync(join(folder, 'fixture.test.ts'), source);
        writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
        const vitest = join(home, 'node_modules/vitest/vitest.mjs');
        const env = { ...process.env, NETD, NO_COLOR: '1', CI: '1' };
        const run = promisify(execFile)(process.execPath, [vitest, 'run', '--root', folder], {
          env,
        });
        const { stdout } = await run;
        assert.match(stdout, /Tests {2}2 passed/);
        rmSync(join(folder, 'node_modules'));
      });
    },
  );
});
