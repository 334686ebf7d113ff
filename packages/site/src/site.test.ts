/** The served documentation: complete, no dead links, samples with the node's address. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { DocsBuild } from '@netd/server/docs-build';
import { GUIDES } from '@netd/server/guides';
import { ROOT } from './page.ts';
import {
  actionContract,
  commandContract,
  clientErrorContract,
  errorContract,
  toolContract,
} from './reference/contract.ts';
import { anchorOf, namesOf, SDKS } from './reference/sdks.ts';

const URL_OF_NODE = 'https://net.example';
const skip = existsSync(join(ROOT, 'packages/site/dist/manifest.json'))
  ? false
  : 'the documentation has not been built: npm run build';

let node: HttpNode;
let build: DocsBuild;
before(async () => {
  node = await HttpNode.start({ publicUrl: URL_OF_NODE });
  if (skip === false) build = DocsBuild.read() ?? assert.fail();
});
after(() => node.stop());

/** Served pages by path. */
async function allPages(form: 'html' | 'markdown'): Promise<Map<string, string>> {
  const paths = Object.keys(build.manifest.pages);
  const texts = paths.map(async (path): Promise<[string, string]> => [
    path,
    (await build.page(path, form, URL_OF_NODE)) ?? '',
  ]);
  return new Map(await Promise.all(texts));
}

test(
  'everything there is has a page, and everything that has a page is there',
  { skip },
  async () => {
    const { paths } = await node.description();
    const operations = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    const { actions, events } = actionContract();
    const tools = toolContract();
    const there: Record<string, readonly string[]> = {
      guides: GUIDES.map(({ name }) => name),
      concepts: readdirSync(join(ROOT, 'docs/concepts'))
        .filter((name) => name.endsWith('.md'))
        .map((name) => name.replace('.md', '')),
      api: operations,
      actions: actions.map(({ name }) => name),
      events: Object.keys(events),
      errors: Object.keys({ ...errorContract(), ...clientErrorContract() }),
      tools: [...tools.node, ...tools.signer].map(({ name }) => name),
      commands: commandContract().commands.map(({ name }) => name.replaceAll(' ', '-')),
      python: ['agent', 'testing', 'tools', 'services', 'homes', 'start', 'examples'],
      javascript: ['test', 'tools', 'services', 'homes', 'start'],
    };
    const shown = Object.keys(build.manifest.pages);
    for (const [section, names] of Object.entries(there)) {
      const pages = shown.filter((path) => path.startsWith(`/docs/${section}/`));
      const expected = names.map((name) => `/docs/${section}/${name}`);
      assert.deepEqual(pages.toSorted(), expected.toSorted(), section);
      if (section !== 'guides' && section !== 'concepts')
        assert.ok(shown.includes(`/docs/${section}`));
    }
  },
);

test('no link leads nowhere', { skip }, async () => {
  const pages = await allPages('html');
  const elsewhere = new Set<string>();
  for (const [path, html] of pages) {
    for (const [, href = ''] of html.matchAll(/ (?:href|src|data-search)="([^"]+)"/g)) {
      const { origin, pathname, hash } = new URL(href, `${URL_OF_NODE}${path}`);
      assert.equal(origin, URL_OF_NODE, `${path} leads away: ${href}`);
      const target = pages.get(pathname);
      if (target === undefined) elsewhere.add(pathname);
      else if (hash !== '')
        assert.ok(target.includes(` id="${hash.slice(1)}"`), `${path}: ${href}`);
    }
    // The reference of JavaScript speaks of undefined.
    const text = path.startsWith('/docs/javascript') ? html.replaceAll('undefined', '') : html;
    assert.doesNotMatch(text, / on[a-z]+=|javascript:|<style|style=|undefined|\[object /, path);
    assert.equal(html.split('<h1>').length, 2, `${path} has one heading of the first level`);
  }
  for (const path of elsewhere) assert.equal((await node.get(path)).status, 200, path);
});

test(
  'a link in Markdown leads to Markdown, and nothing of the renderer is left in it',
  { skip },
  async () => {
    const pages = await allPages('markdown');
    for (const [path, text] of pages) {
      assert.ok(text.startsWith('# '), path);
      assert.doesNotMatch(text, /\{#|^```\w+ \w/m, path);
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
        const linked = target.replace(/#.*/, '');
        if (!linked.startsWith(`${URL_OF_NODE}/docs`)) {
          assert.match(
            target,
            /^(?:#|https?:)/,
            `${path}: nothing is served at a relative address`,
          );
          continue;
        }
        assert.match(linked, /\.md$/, `${path}: ${target}`);
        assert.ok(pages.has(linked.slice(URL_OF_NODE.length, -3)), `${path}: ${target}`);
      }
    }
  },
);

test('samples name the node that serves them, never that of the repository', { skip }, async () => {
  let named = 0;
  for (const form of ['html', 'markdown'] as const) {
    for (const [path, text] of await allPages(form)) {
      assert.doesNotMatch(text, /127\.0\.0\.1:8420/, path);
      if (text.includes(`${URL_OF_NODE}/v1/`)) named++;
    }
  }
  assert.ok(named > 200, String(named));
});

test(
  'a page is HTML for browsers and Markdown for programs, each with a tag of its own',
  { skip },
  async () => {
    const path = '/docs/guides/hire';
    const page = await node.get(path, { accept: 'text/html,*/*;q=0.8' });
    assert.deepEqual(
      [page.status, page.headers['content-type']],
      [200, 'text/html; charset=utf-8'],
    );
    assert.match(
      String(page.headers['content-security-policy']),
      /script-src 'self'; style-src 'self'/,
    );
    assert.equal(String(page.headers['content-security-policy']).split('default-src').length, 2);
    for (const asked of [node.get(path, { accept: 'text/markdown' }), node.get(`${path}.md`)]) {
      const { headers, text } = await asked;
      assert.equal(headers['content-type'], 'text/markdown; charset=utf-8');
      assert.match(text, /^# Hire\n/);
      assert.notEqual(headers.etag, page.headers.etag);
      assert.match(String(headers.vary), /Accept\b/);
    }
    const again = await node.get(path, { 'if-none-match': String(page.headers.etag) });
    assert.equal(again.status, 304);
    const packed = await node.get(path, { 'accept-encoding': 'br' });
    assert.equal(packed.headers['content-encoding'], 'br');
    assertProblem(await node.get('/docs/guides/get-rich'), 404, 'ROUTE_NOT_FOUND');
    assertProblem(await node.get('/docs/assets/..%2fmanifest.json'), 404, 'ROUTE_NOT_FOUND');
    assert.match((await node.get('/docs.md')).text, /^# Documentation\n/);
  },
);

test('assets never change under a name', { skip }, async () => {
  for (const name of Object.keys(build.manifest.files)) {
    assert.match(name, /-[0-9a-f]{8}\.\w+$/);
    const answer = await node.get(`/docs/assets/${name}`);
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers['cache-control']), /immutable/);
    const packed = await node.get(`/docs/assets/${name}`, { 'accept-encoding': 'br' });
    if (answer.bytes.length > 1_024) assert.equal(packed.headers['content-encoding'], 'br', name);
  }
});

test(
  'the reference of an operation, an action, a tool and a command lists their requirements',
  { skip },
  async () => {
    const markdown = async (path: string): Promise<string> => (await node.get(`${path}.md`)).text;
    const lineage = await markdown('/docs/api/getAgentLineage');
    for (const text of [
      '`agentId`',
      'in path',
      '## 404',
      'ancestors',
      'qualification',
      'client.read(',
    ]) {
      assert.ok(lineage.includes(text), text);
    }
    const commit = await markdown('/docs/api/commitMemoryCheckpoint');
    for (const text of ['expiresAtHeight', 'signature', 'storageReplicas', 'barrier']) {
      assert.ok(commit.includes(text), text);
    }
    const transfer = await markdown('/docs/actions/transfer');
    for (const text of [
      '`memo`',
      'intents:simulate',
      'netd act',
      'RECIPIENT_UNKNOWN',
      'Transferred',
    ]) {
      assert.ok(transfer.includes(text), text);
    }
    assert.match(await markdown('/docs/tools/agent_pay'), /spends: money may leave.*transfer/);
    assert.match(
      await markdown('/docs/commands/work-offer'),
      /--funding.*\n(?:.*\n)*.*--instructions/,
    );
    const errors = await markdown('/docs/errors');
    for (const code of Object.keys(errorContract()))
      assert.ok(errors.includes(`\`${code}\``), code);
    for (const code of Object.keys(clientErrorContract()))
      assert.match(await markdown(`/docs/errors/${code}`), /What to do/, code);
  },
);

test('pictures are part of the page, and drawn in its colours', { skip }, async () => {
  for (const name of ['order', 'block', 'key']) {
    const html = (await build.page(`/docs/concepts/${name}`, 'html', URL_OF_NODE)) ?? '';
    assert.match(html, /<figure class="picture"><svg [^>]*role="img"[^>]*aria-label="/, name);
    const file = readFileSync(join(ROOT, `docs/concepts/${name}.svg`), 'utf8');
    assert.match(file, /<style>/, 'it stands alone in the repository');
  }
});

test('every public name of both SDKs is on its page, with a sentence', { skip }, async () => {
  const without: string[] = [];
  for (const sdk of SDKS) {
    const entries = namesOf(sdk);
    const names = Object.values(entries).flat();
    assert.deepEqual(
      Object.values(sdk.entries)
        .map(([entry]) => entry)
        .toSorted(),
      Object.keys(entries).toSorted(),
    );
    const pages = Object.keys(sdk.entries).map((place) =>
      build.page(`/docs/${sdk.language}${place && `/${place}`}`, 'html', URL_OF_NODE),
    );
    const html = (await Promise.all(pages)).join('\n');
    assert.ok(names.length > 60, sdk.title);
    let withExample = 0;
    // Their programs need a framework or a store, which tests of theirs start.
    const elsewhere = ['homes', 'netsdk.homes', 'netsdk.services'].flatMap(
      (entry) => entries[entry] ?? [],
    );
    elsewhere.push(...names.filter(({ name }) => name === 'leasedHome'));
    for (const one of names) {
      for (const member of [null, ...one.members.filter(({ kind }) => kind !== 'value')]) {
        const { description, name } = member ?? one;
        const id = anchorOf(one.name, ...(member ? [member.name] : []));
        assert.ok(html.includes(` id="${id}"`), `${sdk.title}: ${id}`);
        // Constructors say it by their types, and interfaces name what others have.
        if (name !== 'constructor' && (one.kind === 'class' || member === null))
          assert.match(description, /\w \S/, `${sdk.title}: ${id}`);
      }
      const [, below = ''] = html.split(` id="${anchorOf(one.name)}"`);
      if (/^.*?Example/s.test(below.split('<h2')[0] ?? '')) withExample++;
      else if (one.kind === 'function' && !elsewhere.includes(one))
        without.push(`${sdk.title}: ${one.name}`);
    }
    assert.ok(withExample > 30, `${sdk.title}: ${withExample} examples`);
  }
  assert.deepEqual(without, [], 'functions without an example');
  const javascript = (await build.page('/docs/javascript', 'markdown', URL_OF_NODE)) ?? '';
  const exampleOf = (id: string): string | undefined =>
    new RegExp(`^### ${id}\n(?:(?!^##)[^])*?^Example: \\[(.*?)\\]`, 'm').exec(javascript)?.[1];
  assert.equal(exampleOf('Memory.get'), 'Remember', 'not the get of another class');
  assert.equal(exampleOf('BrowserKeyStore.get'), undefined, 'no program calls it');
  assert.equal(exampleOf('Agent.dispute'), 'Work step by step', 'by the variable of an agent');
  assert.match(javascript, /^- Returns a function that removes the listener$/m);
  assert.match(javascript, /^- `options\.timeout`: milliseconds/m);
  assert.match(javascript, /default `\$NET_URL` in Node/);
  const search = Object.keys(build.manifest.files).find((name) => name.startsWith('search-'));
  const entries = (await node.get(`/docs/assets/${search}`)).text;
  assert.match(entries, /"path":"\/docs\/python#Hired-result","title":"Hired\.result"/);
});
