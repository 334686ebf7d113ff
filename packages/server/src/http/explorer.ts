import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { addressShare } from '@netd/client-limits';
import { sha256Hex } from '@netd/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@netd/engine';
import { CARDS, headOf, sendCard } from './card-routes.ts';
import { byChain, immutable, type CachePolicy } from './cache-policy.ts';
import type { HttpContext, Routes } from './context.ts';
import { chooseEncoding, isFresh } from './encoded-document.ts';
import { validateLoopback } from './loopback.ts';
import { isFromOwnPage, namedOrigins, originsCookie } from './named-origins.ts';
import { ownTurn } from './own-turn.ts';
import { isOfNothing } from './page-card.ts';
import { escapeHtml } from './page.ts';
import { pathToRoot, takesAnything, wantsPage } from './request-head.ts';

const DIST = new URL('../../../explorer/dist/', import.meta.url);

interface Manifest {
  pages: readonly string[];
  version: string;
  files: readonly { path: string; sha256: string; bytes: number }[];
}

type Encoding = 'br' | 'gzip' | 'identity';

export interface Served {
  type: string;
  sha256: string;
  bodies: Readonly<Record<Encoding, Buffer>>;
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Loaded once, because the page and its files must be of the same build. */
let build: { manifest: Manifest | null; files: Map<string, Served> } | null = null;

export function explorerBuild(): NonNullable<typeof build> {
  build ??= { manifest: readManifest(), files: new Map() };
  return build;
}

function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(new URL('manifest.json', DIST), 'utf8')) as Manifest;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** Returns files from the manifest only, so that request paths never reach the disk. */
export function fileAt(path: string): Served | null {
  const { manifest, files } = explorerBuild();
  const known = files.get(path);
  if (known || !manifest) return known ?? null;
  const isManifest = path === 'explorer/manifest.json';
  const named = manifest.files.find((file) => file.path === path);
  if (!named && !isManifest) return null;
  const identity = readFileSync(new URL(isManifest ? 'manifest.json' : `files/${path}`, DIST));
  const compressed = (suffix: string): Buffer =>
    isManifest ? identity : readFileSync(new URL(`compressed/${path}.${suffix}`, DIST));
  const served: Served = {
    type: TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    sha256: named?.sha256 ?? sha256Hex(identity),
    bodies: { identity, br: compressed('br'), gzip: compressed('gz') },
  };
  files.set(path, served);
  return served;
}

const BASE = '<base href="./"';
const TITLE = '<title>netd</title>';
/** Compresses a page to a third in less than a millisecond. */
const QUICKLY = { [constants.BROTLI_PARAM_QUALITY]: 4 };

function lazy<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

interface Head {
  /** Trusted HTML for the beginning of the head. */
  meta?: string;
  /** Text of the page's own title and description. */
  title?: string;
}

/**
 * Returns null without a build. `<base>` leads to this node's root, also below a path of a proxy.
 * @param url as in the first line of the request
 */
export function pageAt(url: string, { meta = '', title }: Head = {}): Served | null {
  const index = fileAt('index.html');
  const root = pathToRoot(url);
  if (!index || (root === './' && meta === '')) return index;
  const text = index.bodies.identity
    .toString('utf8')
    .replace('<head>', () => `<head>${meta}`)
    .replace(TITLE, (own) => (title === undefined ? own : `<title>${escapeHtml(title)}</title>`))
    .replace(BASE, BASE.replace('./', root));
  const identity = Buffer.from(text);
  const br = lazy(() => brotliCompressSync(identity, { params: QUICKLY }));
  const gzip = lazy(() => gzipSync(identity));
  const bodies = {
    identity,
    get br() {
      return br();
    },
    get gzip() {
      return gzip();
    },
  };
  return { type: index.type, sha256: sha256Hex(identity), bodies };
}

/**
 * Returns false if another answer is wanted. The status is 404 if the page or its record is missing.
 * Sites that show links take any type, so they get each page that has a title for them.
 */
export async function sendExplorer(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const isWanted = wantsPage(request.headers);
  if (!isWanted && !takesAnything(request.headers)) return false;
  await ownTurn(reply.raw, addressShare(request.ip));
  const head = headOf(context, request);
  if (!isWanted && head.title === undefined) return false;
  const { own, named, origins } = connectable(context, request);
  const page = pageAt(request.url, { ...head, meta: (head.meta ?? '') + storesTag(own) });
  if (!page) return false;
  send(request, reply, page, {
    policy: byChain,
    // The header contains this reader's origins, so shared caches must not keep it.
    cacheControl: named.length > 0 ? 'private, no-cache' : undefined,
    headers: pageHeaders(origins),
    status: context.read((snapshot) => isOfNothing(snapshot, request.url)) ? 404 : 200,
  });
  return true;
}

/** Returns the origins, apart from the node, that the reader's pages may contact. */
function connectable(
  context: HttpContext,
  request: FastifyRequest,
): Record<'own' | 'named' | 'origins', readonly string[]> {
  const own = ownStores(context, request);
  const named = namedOrigins(request.headers.cookie);
  return { own, named, origins: [...new Set([...named, ...own])] };
}

/** Returns the node's own stores. For readers on other machines, their addresses would be those of strangers. */
function ownStores(context: HttpContext, { headers }: FastifyRequest): readonly string[] {
  return isHere(context, headers) ? (context.options.ownStores?.() ?? []) : [];
}

/** True if the reader is on this machine, and no proxy or foreign page in between. */
const isHere = ({ options }: HttpContext, headers: IncomingHttpHeaders): boolean =>
  options.loopback && validateLoopback(headers) === null;

/** Replaces the reason for readers elsewhere, because it can name files of this machine. */
const SEE_TERMINAL = 'the terminal of netd dev shows why';

/** Tells the page which stores its policy allows without a question. */
const storesTag = (origins: readonly string[]): string =>
  origins.length === 0
    ? ''
    : `\n    <meta name="netd-stores" content="${escapeHtml(origins.join(' '))}" />`;

export const explorerRoutes: Routes = (app, context) => {
  const { manifest } = explorerBuild();
  if (!manifest) return;
  const schema = { hide: true };
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!(await sendExplorer(context, request, reply))) throw new ApiError('ROUTE_NOT_FOUND');
  };
  for (const name of manifest.pages) {
    app.get(`/${name}`, { schema }, page);
    app.get(`/${name}/*`, { schema }, page);
  }
  // Registered at the root, because the browser derives the cookie's path from this address.
  app.post('/explorer-origins', { schema }, (request, reply) => {
    const cookie = originsCookie(request.headers, request.body);
    if (cookie === null) throw new ApiError('PARAMETER_INVALID', { message: ORIGINS_REFUSED });
    reply.header('set-cookie', cookie).code(204).send();
  });
  app.get<{ Params: { '*': string } }>(`${CARDS}*`, { schema }, (request, reply) =>
    sendCard(context, request, reply),
  );
  const { demo } = context.options;
  app.post('/explorer-demo', { schema }, ({ headers, body }, reply) => {
    const token = Buffer.isBuffer(body) ? body.toString('utf8') : '';
    if (!isFromOwnPage(headers) || demo?.start(token) !== true) {
      throw new ApiError('CONTROL_TOKEN_REQUIRED', { message: DEMO_REFUSED });
    }
    reply.code(204).send();
  });
  app.get('/explorer-demo', { schema }, ({ headers }, reply) => {
    if (!demo || !isFromOwnPage(headers)) throw new ApiError('ROUTE_NOT_FOUND');
    const { state, reason } = demo.progress;
    const told = reason === null || isHere(context, headers) ? reason : SEE_TERMINAL;
    reply.header('cache-control', 'no-store').send({ state, reason: told });
  });
  app.get<{ Params: { '*': string } }>('/explorer/*', { schema }, (request, reply) => {
    const path = `explorer/${request.params['*']}`;
    const file = fileAt(path);
    if (!file) throw new ApiError('ROUTE_NOT_FOUND');
    send(
      request,
      reply,
      file,
      sendingOf(path, () => connectable(context, request).origins),
    );
  });
};

export const ORIGINS_REFUSED =
  'Only the page of this node can name origins. Send at most eight as {"origins": ["https://node.example"]}.';

const DEMO_REFUSED =
  'This link does not start the demo. It works once, and only until the node stops. Run npx netd demo on the machine of the node instead.';

interface Sending {
  policy: CachePolicy;
  cacheControl?: string | undefined;
  headers?: readonly (readonly [name: string, value: string])[];
  status?: number;
}

/** The worker of `/run`. No other script contacts stores. */
const RUNNER = /^explorer\/runner-worker-[\w-]+\.js$/;

/**
 * Returns how to send a file of the build. A worker gets its policy from the header of its script, not from its page.
 * @param origins for the worker of `/run`
 * @param node origin of the node, if it is not this server
 */
export function sendingOf(
  path: string,
  origins: () => readonly string[],
  node: readonly string[] = [],
): Sending {
  if (path.endsWith('.json')) return { policy: byChain };
  if (RUNNER.test(path)) {
    const headers = workerHeaders([...node, ...origins()]);
    return { policy: byChain, cacheControl: 'private, no-cache', headers };
  }
  const isScript = path.endsWith('.js');
  return {
    // A cache would keep a policy that names this node, and show the next one with it.
    policy: isScript && node.length > 0 ? byChain : immutable,
    headers: isScript ? workerHeaders(node) : [],
  };
}

const workerHeaders = (origins: readonly string[]): [name: string, value: string][] => [
  [
    'content-security-policy',
    `default-src 'none'; script-src 'self'; ${connectSource(origins)}; require-trusted-types-for 'script'`,
  ],
];

const connectSource = (origins: readonly string[]): string =>
  `connect-src ${["'self'", ...origins].join(' ')}`;

export function pageHeaders(origins: readonly string[]): [name: string, value: string][] {
  return [
    ['content-security-policy', contentSecurityPolicy(origins)],
    ['cross-origin-opener-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()'],
    ['x-frame-options', 'DENY'],
  ];
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  served: Served,
  sending: Sending,
): void {
  reply.hijack();
  const { headers = [] } = sending;
  sendFile(request.headers, reply.raw, served, {
    ...sending,
    headers: [
      ['x-request-id', request.id],
      ...headers,
      ...Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)] as const),
    ],
  });
}

export function sendFile(
  asking: IncomingHttpHeaders,
  raw: ServerResponse,
  { type, sha256, bodies }: Served,
  { policy, cacheControl = policy.cacheControl, headers = [], status = 200 }: Sending,
): void {
  const asked = chooseEncoding(asking['accept-encoding'] ?? '');
  const encoding = bodies[asked] === bodies.identity ? 'identity' : asked;
  const body = bodies[encoding];
  const etag = `"${sha256.slice(0, 32)}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  const lines: [string, string][] = [
    ['cache-control', cacheControl],
    ['cross-origin-resource-policy', 'same-origin'],
    ['etag', etag],
    ['referrer-policy', 'no-referrer'],
    ['vary', 'Accept, Accept-Encoding, Cookie'],
    ['x-content-type-options', 'nosniff'],
    ...headers.map(([name, value]): [string, string] => [name, value]),
  ];
  // A page keeps its tag when its record appears, so a cache must not hold on to the 404.
  if (status === 200 && isFresh(asking['if-none-match'], etag)) {
    raw.writeHead(304, lines.flat()).end();
    return;
  }
  if (encoding !== 'identity') lines.push(['content-encoding', encoding]);
  lines.push(['content-type', type], ['content-length', String(body.length)]);
  raw.writeHead(status, lines.flat()).end(body);
}

/** The page contains the styles of its shell, so that it is painted before a style sheet arrives. */
function shellStyleHash(): string {
  const html = fileAt('index.html')?.bodies.identity.toString('utf8') ?? '';
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

/** Lets the page run only scripts of this node, and connect only to this node and the reader's origins. */
function contentSecurityPolicy(origins: readonly string[]): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${shellStyleHash()}`,
    connectSource(origins),
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // Workers are the feed that tabs share, and the wallet's if the browser lacks cryptography.
    "worker-src 'self'",
    'trusted-types netd-worker',
  ].join('; ');
}
