/** Serves the documentation, as pages for people and as Markdown for programs. */
import { ApiError } from '@netd/engine';
import { Type, type TSchema } from '@netd/protocol/type';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { linkTo } from '../../own-address.ts';
import { DocsBuild, type DocsForm } from '../../docs-build.ts';
import { FORMATS, GUIDES } from '../../guides.ts';
import { writeDocument } from '../answer.ts';
import { byChain, immutable, type CachePolicy } from '../cache-policy.ts';
import type { Routes } from '../context.ts';
import { encodeContent, EncodedDocument, HTML_TYPE, Text } from '../encoded-document.ts';
import { pathToRoot, prefersMarkdown } from '../request-head.ts';
import { problems } from '../schemas.ts';

const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

const ASSET_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
};

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const LINK_FROM_ROOT = / (href|src|data-search)="\//g;

const KEPT_PAGES = 64;

const CONTENT = {
  'text/html': { schema: Type.String() },
  'text/markdown': { schema: Type.String() },
};
const PAGE = { 200: { description: 'A page; its Markdown by Accept or .md.', content: CONTENT } };

const NAME = { name: Type.String({ description: 'Name of the page; with .md as Markdown.' }) };

const PAGES: Readonly<
  Record<string, [operationId: string, summary: string, params?: Record<string, TSchema>]>
> = {
  '/docs': ['getDocs', 'The documentation: guides, concepts, reference'],
  '/docs/errors': ['getErrorCodes', 'Every error code, for people'],
  [`/docs/${FORMATS.name}`]: [
    'getFormats',
    'The documents behind the hashes: scopes, metadata, sealed content, memory',
  ],
  '/docs/guides/:name': [
    'getGuide',
    `How to do one thing: ${GUIDES.map(({ name }) => name).join(', ')}`,
    NAME,
  ],
  '/docs/:section': [
    'getDocsSection',
    'What a section of the documentation begins with: api, actions, events, tools, …',
    { section: Type.String({ description: 'Name of the section; with .md as Markdown.' }) },
  ],
  '/docs/:section/:name': [
    'getDocsPage',
    'A page of the documentation: an operation, action, event, error, tool or command',
    { section: Type.String({ description: 'Name of the section.' }), ...NAME },
  ],
};

export const docsRoutes: Routes = (app, context) => routesOf(DocsBuild.read())(app, context);

export const routesOf =
  (build: DocsBuild | null): Routes =>
  (app, context) => {
    const kept = new LRUCache<string, EncodedDocument>({ max: KEPT_PAGES });

    async function made(
      key: string,
      make: () => Promise<EncodedDocument | null>,
    ): Promise<EncodedDocument | null> {
      const document = kept.get(key) ?? (await make());
      if (document) kept.set(key, document);
      return document;
    }

    async function write(
      request: FastifyRequest,
      reply: FastifyReply,
      document: EncodedDocument,
      policy: CachePolicy,
    ): Promise<FastifyReply> {
      const form = await document.representationFor(request.headers['accept-encoding']);
      writeDocument(request, reply, form, policy);
      return reply;
    }

    /** @throws ApiError DOCS_NOT_BUILT, ROUTE_NOT_FOUND */
    async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (!build) throw new ApiError('DOCS_NOT_BUILT');
      const asked = (request.url.split('?')[0] ?? '').replace(/\/$/, '');
      const isNamed = asked.endsWith('.md');
      const path = isNamed ? asked.slice(0, -3) : asked;
      const form: DocsForm = isNamed || prefersMarkdown(request.headers) ? 'markdown' : 'html';
      const { publicUrl } = context.options;
      const root = pathToRoot(request.url);
      const document = await made(`${form} ${root} ${path}`, async () => {
        const text = await build.page(path, form, publicUrl);
        if (text === null) return null;
        const content =
          form === 'html'
            ? new Text(HTML_TYPE, text.replaceAll(LINK_FROM_ROOT, ` $1="${root}`))
            : new Text(MARKDOWN_TYPE, text);
        return new EncodedDocument(encodeContent(content));
      });
      if (!document) throw new ApiError('ROUTE_NOT_FOUND');
      const alternate = `<${linkTo(publicUrl, path)}.md>; rel="alternate"; type="text/markdown"`;
      if (form === 'html') {
        void reply.headers({ 'content-security-policy': PAGE_POLICY, link: alternate });
      }
      return write(request, reply, document, byChain);
    }

    const page = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
      send(request, reply);
    for (const [path, [operationId, summary, params]] of Object.entries(PAGES)) {
      const schema = {
        operationId,
        tags: ['node'],
        summary,
        ...(params ? { params: Type.Object(params) } : {}),
        response: { ...PAGE, ...problems(404) },
      };
      app.get(path, { schema }, page);
    }
    app.get('/docs.md', { schema: { hide: true } }, page);
    app.get('/llms-full.txt', { schema: { hide: true } }, async (request, reply) => {
      if (!build) throw new ApiError('DOCS_NOT_BUILT');
      const document = await made('written', async () => {
        const text = await build.written(context.options.publicUrl);
        return new EncodedDocument(encodeContent(new Text('text/plain; charset=utf-8', text)));
      });
      if (!document) throw new ApiError('ROUTE_NOT_FOUND');
      return write(request, reply, document, byChain);
    });

    app.get<{ Params: { name: string } }>(
      '/docs/assets/:name',
      { schema: { hide: true } },
      async (request, reply) => {
        const { name } = request.params;
        const type = ASSET_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
        const document = await made(`asset ${name}`, async () => {
          const file = await build?.file(name);
          if (!file) return null;
          const { hash } = encodeContent(new Text(type, file.bytes.toString('utf8')));
          return new EncodedDocument({ type, bytes: file.bytes, hash }, file.brotli);
        });
        if (!document) throw new ApiError('ROUTE_NOT_FOUND');
        return write(request, reply, document, immutable);
      },
    );
  };
