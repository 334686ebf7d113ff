import { Type } from '@netd/protocol/type';
import { untrusted } from '@netd/protocol/untrusted';
import type { Agent } from '@netd/sdk';
import { closed, Cursor } from '../inputs.ts';
import { cursorAt, firstFew, offsetOf, textPage, valuePage } from '../page.ts';
import { defineTool } from '../tool.ts';

const READABLE = /^\/(?:v1|docs|\.well-known|llms\.txt|health)(?:\/|$)/;

export const readDocumentTool = defineTool({
  name: 'agent_read_document',
  title: 'Read a document of the network',
  description:
    'Without path, the public documents there are; with one, such as /v1/network or /v1/blocks?limit=2, that document. They hold words of strangers.',
  input: Type.Object(
    {
      path: Type.Optional(
        Type.String({ maxLength: 512, pattern: '^/[A-Za-z0-9._~!$&()*+,;=:@%/?-]*$' }),
      ),
      cursor: Cursor,
    },
    closed,
  ),
  output: { documents: 'any', document: 'object', nextCursor: 'any' },
  effect: 'reads',
  run: async ({ agent, args: { path, cursor } }) => {
    const offset = offsetOf(cursor);
    if (path === undefined) return listed(agent, offset);
    const text = await textAt(agent, path);
    const { nextOffset, ...said } = pageOf(text, offset);
    return {
      document: untrusted(null, 'value' in said ? said.value : said),
      nextCursor: cursorAt(nextOffset),
    };
  },
});

async function textAt({ client }: Agent, path: string): Promise<string> {
  return client.text(path as '/llms.txt');
}

function pageOf(
  text: string,
  offset: number,
): ReturnType<typeof valuePage> | ReturnType<typeof textPage> {
  try {
    return valuePage(JSON.parse(text), offset);
  } catch {
    return textPage(text, offset);
  }
}

interface Description {
  paths: Readonly<Record<string, { get?: { summary?: string } }>>;
}

async function listed(agent: Agent, offset: number): Promise<object> {
  const { paths } = JSON.parse(await textAt(agent, '/openapi.json')) as Description;
  const all = Object.entries(paths)
    .filter(([path, { get }]) => get && READABLE.test(path))
    .map(([path, { get }]) => `${path}: ${get?.summary ?? ''}`);
  const rows = firstFew(all.slice(offset));
  const end = offset + rows.length;
  return {
    documents: untrusted(null, rows),
    nextCursor: cursorAt(end < all.length ? end : null),
  };
}
