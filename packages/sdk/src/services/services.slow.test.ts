/** Apps of Express and Hono and a graph of LangGraph are sold on a real node, and still answer over HTTP. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inCampaign, until } from '@netd/protocol/testing';
import { tempDir } from '@netd/testkit/temp-dir';
// @ts-expect-error: it has no types here
import express from 'express';
import { Hono } from 'hono';
import { z } from 'zod';
import { Agent, defineService, type ServedService } from '../index.ts';
import { REVIEW_POLICY } from '../agent/testing/review-policy.ts';
import { stage } from '../agent/testing/staged.ts';
import { cachedPackages, unlessMissing } from '../../../../scripts/cached-environment.ts';
import { pythonEnvironment } from '../../../../scripts/python-environment.ts';
import { buyTool, expressHandler, fetchHandler } from './index.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const staged = stage({ staffed: true });
const NET = 1_000_000;
const GRAPHS = { '@langchain/core': '1.4.0', '@langchain/langgraph': '1.7.3' };
const MOST_TO_INSTALL = 120_000;

/** Types of libraries that are not here when this is compiled. */
type Foreign = any; // oxlint-disable-line typescript/no-explicit-any

interface Text {
  text: string;
}
const types = {
  input: z.object({ text: z.string() }),
  output: z.object({ letters: z.number() }),
  price: '5 NET',
} as const;
const counted = ({ text }: Text): { letters: number } => ({ letters: text.length });

test('endpoints and graphs are sold, and the endpoints answer over HTTP as before', async (t) => {
  const app = express()
    .use(express.json())
    .post('/count', ({ body }: Foreign, response: Foreign) => response.json(counted(body)));
  const hono = new Hono().post('/count', async (context) =>
    context.json(counted(await context.req.json<Text>())),
  );
  const services: ServedService<Text, Text, { letters: number }>[] = [
    defineService({ ...types, name: 'by-express', handler: expressHandler(app, 'POST /count') }),
    defineService({ ...types, name: 'by-hono', handler: fetchHandler(hono, 'POST /count') }),
  ];
  const graph = await langgraph();
  if (graph === null) t.diagnostic('without LangGraph, which could not be installed');
  else {
    const handler = async ({ data, signal }: Foreign): Promise<Foreign> =>
      graph.invoke(data, { signal });
    services.push(defineService({ ...types, name: 'by-langgraph', handler }));
  }
  const worker = await Agent.open('wrapper', staged.world.options({ memory: false }));
  const buyer = await Agent.open('wanter', staged.world.options({ memory: false }));
  t.after(async () => Promise.all([worker.stop(), buyer.stop()]));
  await buyer.act('faucet', { amount: 20 * NET }, { id: 'money' });
  worker.serve(...services);
  void worker.run();
  const before = await staged.world.balanceOf('wrapper');
  for (const service of services) {
    const options = { worker: 'wrapper', validationPolicy: REVIEW_POLICY };
    assert.deepEqual(await buyer.call(service, { text: 'four' }, options), { letters: 4 });
  }
  const earned = services.length * 5 * NET;
  await until(async () => (await staged.world.balanceOf('wrapper')) - before === earned);

  const server = createServer(app as RequestListener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/count`;
  const asked = { method: 'POST', body: '{"text":"four"}' };
  const headers = { 'content-type': 'application/json', connection: 'close' };
  for (const response of [
    await fetch(url, { ...asked, headers }),
    await hono.request('/count', asked),
  ]) {
    assert.deepEqual(await response.json(), { letters: 4 });
  }
});

test('a tool of MCP hires once, although its first request is canceled, and the worker is paid', async (t) => {
  const shared = defineService({ ...types, name: 'by-tool' });
  const worker = await Agent.open('toolwork', staged.world.options({ memory: false }));
  const buyer = await Agent.open('toolbuy', staged.world.options({ memory: false }));
  t.after(async () => Promise.all([worker.stop(), buyer.stop()]));
  await buyer.act('faucet', { amount: 20 * NET }, { id: 'money' });
  worker.serve({ ...shared, handler: ({ data }: Foreign) => counted(data) });
  const tool = buyTool(buyer, shared, { worker: 'toolwork', validationPolicy: REVIEW_POLICY });
  const orders = async (): Promise<string[]> => {
    const found = await buyer.client.read('/v1/work-orders', { requesterId: 'toolbuy' });
    return found.orders.map(({ orderId }) => orderId);
  };
  const stop = new AbortController();
  const canceled = tool.handler({ text: 'four' }, stop);
  await until(async () => (await orders()).length === 1);
  stop.abort();
  const [text] = (await canceled).content;
  assert.match(text?.text ?? '', new RegExp(`Order ${(await orders())[0]} stays open`));
  void worker.run();
  const paid = new Promise((resolve) => void worker.on('paid', resolve));
  assert.deepEqual((await tool.handler({ text: 'four' })).structuredContent, { letters: 4 });
  await paid;
  assert.equal((await orders()).length, 1);
});

test('a crew of CrewAI is sold', inCampaign, async (t) => {
  const requirements = here('testing/crew.txt');
  const made = pythonEnvironment('crew', requirements);
  const programs = await unlessMissing('a crew of CrewAI', made);
  if (programs === null) return t.skip('CrewAI could not be installed');
  const { url, keys, blobs } = staged.world.options();
  const script = [here('testing/crew.py'), url, keys, ...(blobs ?? [])] as string[];
  const quiet = { CREWAI_DISABLE_TELEMETRY: 'true', OTEL_SDK_DISABLED: 'true', HOME: tempDir(t) };
  const paths = {
    PYTHONPATH: here('../../../../clients/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const env = { ...process.env, ...quiet, ...paths };
  const { stdout } = await promisify(execFile)(join(programs, 'python'), script, { env });
  assert.match(stdout, /Letters\(letters=4\) PAID\n$/);
});

/** Returns a graph whose state has more than the service sells; null if the library is missing. */
async function langgraph(): Promise<Foreign> {
  const made = cachedPackages('graphs', GRAPHS, MOST_TO_INSTALL);
  const home = await unlessMissing('a graph of LangGraph', made);
  if (home === null) return null;
  const { resolve } = createRequire(join(home, 'package.json'));
  const library: Foreign = await import(pathToFileURL(resolve('@langchain/langgraph')).href);
  const { Annotation, END, START, StateGraph } = library;
  const state = Annotation.Root({ text: Annotation(), letters: Annotation(), notes: Annotation() });
  return new StateGraph(state)
    .addNode('count', (given: Text) => ({ ...counted(given), notes: 'mine' }))
    .addEdge(START, 'count')
    .addEdge('count', END)
    .compile();
}
