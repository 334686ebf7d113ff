/**
 * Runs Lighthouse on Now, an agent and an order, and prints a score per category and what it found below the
 * bound. npx fetches Lighthouse; it is no dependency of this repository.
 *
 * npm run lighthouse -w @netd/explorer -- [--url http://127.0.0.1:8420] [--mobile]
 *
 * Without a URL, it starts a node with a few agents and an order. Desktop by default.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from '@netd/node';
import { AgentKey, NetClient, type Actor } from '@netd/sdk';
import { findPages } from '../src/testing/find-pages.ts';
import { operatorOf } from '../src/testing/operator.ts';

const LIGHTHOUSE = 'lighthouse@13';
const PAGES = ['now', 'agent', 'order'] as const;
/** Of a hundred. */
const LEAST = 95;
/** Milliseconds for the first paint, and until a click is answered. */
const BOUNDS = { 'first-contentful-paint': 1_000, interactive: 1_500 };

interface Report {
  categories: Record<string, { title: string; score: number | null; auditRefs: { id: string }[] }>;
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>;
}

const { values } = parseArgs({
  options: { url: { type: 'string' }, mobile: { type: 'boolean', default: false } },
});
const directory = mkdtempSync(join(tmpdir(), 'netd-lighthouse-'));
const own = values.url === undefined ? await startNode() : null;
try {
  const url = values.url ?? own?.url ?? '';
  const pages = await findPages(url);
  for (const name of PAGES) judge(name, await measure(url + (pages[name] ?? '/')));
} finally {
  await own?.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** The node runs in this process. */
async function measure(url: string): Promise<Report> {
  const path = join(directory, 'report.json');
  const run = spawn(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${path}`,
      ...(values.mobile ? [] : ['--preset=desktop']),
      // No simulated network.
      '--throttling-method=provided',
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage',
    ],
    {
      env: { ...process.env, CHROME_PATH: '/usr/bin/chromium' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [status] = (await once(run, 'close')) as [number | null];
  if (status !== 0) throw new Error(`lighthouse ended with ${status}`);
  return JSON.parse(readFileSync(path, 'utf8')) as Report;
}

function judge(name: string, { categories, audits }: Report): void {
  const scores = Object.values(categories).map(({ title, score }) => `${title} ${percent(score)}`);
  const times = Object.keys(BOUNDS).map(
    (id) => `${audits[id]?.title ?? id} ${Math.round(audits[id]?.numericValue ?? NaN)} ms`,
  );
  console.log(`${name}: ${[...scores, ...times].join(', ')}`);
  for (const { title, score, auditRefs } of Object.values(categories)) {
    const found = auditRefs
      .map(({ id }) => audits[id])
      .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9);
    for (const audit of found)
      console.log(`  ${title}: ${audit?.title} (${percent(audit?.score ?? null)})`);
    if ((score ?? 0) * 100 < LEAST) process.exitCode = 1;
  }
  for (const [id, most] of Object.entries(BOUNDS)) {
    if ((audits[id]?.numericValue ?? Infinity) > most) process.exitCode = 1;
  }
}

function percent(score: number | null): string {
  return score === null ? '–' : String(Math.round(score * 100));
}

async function startNode() {
  const node = await serve({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(directory, 'node'),
    blockTime: 1,
  });
  const client = new NetClient({ url: node.url });
  const operator = await operatorOf(node);
  const ada: Actor = { actorId: 'ada', key: await AgentKey.generate() };
  await client.register(ada, { description: 'reads papers' });
  await client.act(operator, 'createWorkOrder', {
    orderId: 'order-1',
    title: 'Summarise twelve papers on consensus',
    scopeHash: 'cd'.repeat(32),
    jobType: 'reading',
    requirements: ['reading'],
    funding: 10_000_000,
  });
  await client.act(ada, 'acceptWork', { orderId: 'order-1', agentId: 'ada' });
  return node;
}
