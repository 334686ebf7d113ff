import { globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sha256Hex } from '@netd/protocol';
import type { TSchema } from '@netd/protocol/type';
import { MCP_BUNDLE, McpRegistryEntry, registryEntryAt } from './discovery/mcp-registry.ts';
import { atThisNode } from './own-address.ts';
import { ownPackage } from './own-package.ts';
import { VERSION } from '@netd/protocol/version';

const ROOT = new URL('../../../', import.meta.url);

export interface Download {
  name: string;
  operationId: string;
  summary: string;
  mediaType: string;
  schema?: TSchema;
  asksNode?: (text: string, publicUrl: string) => string;
  source: string;
  /** A name without the version, which redirects. */
  stableName?: string;
}

const AGENT_SKILL = `net-agent-skill-${VERSION}.zip`;
/** pip requires the version in the name of a wheel. */
export const WHEEL = `netsdk-${VERSION}-py3-none-any.whl`;
const ZIP = 'application/zip';
const GZIP = 'application/gzip';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const SOURCE_MAP = 'text/plain; charset=utf-8';

export const DOWNLOADS: readonly Download[] = [
  {
    name: 'net-join.mjs',
    operationId: 'downloadJoinClient',
    summary: 'Agent join client: one file, no dependencies, Node 18 or newer',
    mediaType: JAVASCRIPT,
    source: 'clients/join/net-join.mjs',
    asksNode: atThisNode,
  },
  {
    name: 'net-opportunity-watch.mjs',
    operationId: 'downloadOpportunityWatcher',
    summary: 'Opportunity watcher: reports open work and checks it, one file, Node 18 or newer',
    mediaType: JAVASCRIPT,
    source: 'clients/join/net-opportunity-watch.mjs',
    asksNode: atThisNode,
  },
  {
    name: `net-sdk-${VERSION}.tgz`,
    stableName: 'net-sdk.tgz',
    operationId: 'downloadSdkPackage',
    summary: 'JavaScript SDK to npm install: no dependencies, Node 20.12 or newer and browsers',
    mediaType: GZIP,
    source: `packages/sdk/dist/net-sdk-${VERSION}.tgz`,
  },
  {
    name: 'net-sdk.mjs',
    operationId: 'downloadSdkModule',
    summary: 'JavaScript SDK as one file for Node 20.12 or newer',
    mediaType: JAVASCRIPT,
    source: 'packages/sdk/dist/net-sdk.mjs',
  },
  {
    name: 'net-sdk.browser.mjs',
    operationId: 'downloadSdkBrowserModule',
    summary: 'JavaScript SDK as one file for browsers, which may import it from here',
    mediaType: JAVASCRIPT,
    source: 'packages/sdk/dist/net-sdk.browser.mjs',
  },
  {
    name: 'net-sdk.mjs.map',
    operationId: 'downloadSdkModuleMap',
    summary: 'Source map of net-sdk.mjs',
    mediaType: SOURCE_MAP,
    source: 'packages/sdk/dist/net-sdk.mjs.map',
  },
  {
    name: 'net-sdk.browser.mjs.map',
    operationId: 'downloadSdkBrowserModuleMap',
    summary: 'Source map of net-sdk.browser.mjs',
    mediaType: SOURCE_MAP,
    source: 'packages/sdk/dist/net-sdk.browser.mjs.map',
  },
  {
    name: 'net-sdk.d.mts',
    operationId: 'downloadSdkTypes',
    summary: 'TypeScript types of net-sdk.mjs',
    mediaType: 'text/plain; charset=utf-8',
    source: 'packages/sdk/dist/net-sdk.d.mts',
  },
  {
    name: WHEEL,
    stableName: 'netsdk.whl',
    operationId: 'downloadPythonSdk',
    summary: 'Python SDK to pip install: Python 3.10 or newer',
    mediaType: ZIP,
    source: `clients/python/dist/${WHEEL}`,
  },
  {
    name: 'netsdk-lab.txt',
    operationId: 'downloadLabRequirements',
    summary: 'netd with its own Node, to pip install -r: hashes of all packages',
    mediaType: 'text/plain; charset=utf-8',
    source: 'clients/lab/dist/netsdk-lab.txt',
    asksNode: atThisNode,
  },
  {
    name: AGENT_SKILL,
    stableName: 'net-agent-skill.zip',
    operationId: 'downloadAgentSkill',
    summary:
      'Agent skill archive: SKILL.md and scripts by which a model joins, earns, talks and remembers',
    mediaType: ZIP,
    source: `dist/${AGENT_SKILL}`,
  },
  {
    name: MCP_BUNDLE,
    operationId: 'downloadMcpBundle',
    summary:
      'MCP bundle: clients such as Claude Desktop install it by a click, and a model is an agent',
    mediaType: ZIP,
    source: `dist/${MCP_BUNDLE}`,
    stableName: 'net-mcp.mcpb',
  },
  {
    name: 'server.json',
    operationId: 'downloadMcpRegistryEntry',
    summary: 'server.json: how a registry of MCP servers lists the bundle',
    mediaType: 'application/json',
    schema: McpRegistryEntry,
    source: 'dist/server.json',
    asksNode: registryEntryAt,
  },
  {
    name: `net-operator-handoff-${VERSION}.zip`,
    stableName: 'net-operator-handoff.zip',
    operationId: 'downloadOperatorHandoff',
    summary:
      'Operator handoff: what to give and what never, runbooks, checklists, alarms, a dashboard',
    mediaType: ZIP,
    source: `dist/net-operator-handoff-${VERSION}.zip`,
  },
  {
    name: `net-launch-kit-${VERSION}.zip`,
    stableName: 'net-launch-kit.zip',
    operationId: 'downloadLaunchKit',
    summary: 'Launch kit: from an empty machine to a network of your own that others can follow',
    mediaType: ZIP,
    source: `dist/net-launch-kit-${VERSION}.zip`,
  },
  {
    name: `net-follower-${VERSION}.tgz`,
    stableName: 'net-follower.tgz',
    operationId: 'downloadFollowerPackage',
    summary: 'Follower node as an npm package, without what a validator needs: Node 22.18 or newer',
    mediaType: GZIP,
    source: `dist/net-follower-${VERSION}.tgz`,
  },
  {
    name: `netd-${VERSION}.tgz`,
    stableName: 'netd.tgz',
    operationId: 'downloadNetdPackage',
    summary: 'The node and its command as an npm package: Node 22.18 or newer',
    mediaType: GZIP,
    source: `dist/netd-${VERSION}.tgz`,
  },
  {
    name: `net-release-${VERSION}.tar.gz`,
    stableName: 'net-release.tar.gz',
    operationId: 'downloadRelease',
    summary: 'Full release archive: sources, packages, bill of materials, checksums, provenance',
    mediaType: GZIP,
    source: `dist/net-release-${VERSION}.tar.gz`,
  },
];

export interface DownloadFile extends Download {
  path: string;
  bytes: Buffer;
  sha256: string;
}

/** Caches files, because their bytes must match the manifest's hash even after a rebuild. */
const files = new Map<string, DownloadFile>();

export function downloadFile(download: Download, publicUrl: string): DownloadFile | null {
  const key = download.asksNode ? `${download.name} ${publicUrl}` : download.name;
  const known = files.get(key);
  if (known) return known;
  let bytes = readBuilt(download.source) ?? ownPackage(download.name);
  if (bytes === null) return null;
  if (download.asksNode) bytes = Buffer.from(download.asksNode(bytes.toString('utf8'), publicUrl));
  return keep(key, download, { bytes, sha256: sha256Hex(bytes) });
}

function keep(
  key: string,
  download: Download,
  content: Pick<DownloadFile, 'bytes' | 'sha256'>,
): DownloadFile {
  const file = { ...download, path: `/downloads/${download.name}`, ...content };
  files.set(key, file);
  return file;
}

let loading: Promise<void> | null = null;

export const loadDownloads = (): Promise<void> => (loading ??= load());

async function load(): Promise<void> {
  for (const download of DOWNLOADS) if (!download.asksNode) await loaded(download);
}

async function loaded(download: Download): Promise<DownloadFile | null> {
  const known = files.get(download.name);
  if (known) return known;
  const bytes = await readFile(new URL(download.source, ROOT)).catch(() => null);
  if (bytes === null) return null;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return keep(download.name, download, { bytes, sha256: Buffer.from(digest).toString('hex') });
}

function readBuilt(source: string): Buffer | null {
  try {
    return readFileSync(new URL(source, ROOT));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

function namedFile(wanted: string, publicUrl: string): DownloadFile | null {
  const download = DOWNLOADS.find(({ name }) => name === wanted);
  return download ? downloadFile(download, publicUrl) : null;
}

export const agentSkillFile = (publicUrl: string): DownloadFile | null =>
  namedFile(AGENT_SKILL, publicUrl);

export const wheelFile = (publicUrl: string): DownloadFile | null => namedFile(WHEEL, publicUrl);

const WHEEL_IN_PIP_LINE = new RegExp(`(netsdk @ [^\\s'"<>]*/${WHEEL})(?!#)`, 'g');

const LAB_DIST = 'clients/lab/dist/';

/** Reads the wheels of netsdk-lab that were built here, one per platform. They are large, so only their readers wait. */
export async function labWheels(): Promise<DownloadFile[]> {
  const names = globSync(`netsdk_lab-${VERSION}-*.whl`, { cwd: new URL(LAB_DIST, ROOT) });
  const wheels = names.toSorted().map((name) =>
    loaded({
      name,
      operationId: 'downloadLabWheel',
      summary: 'netd with its native packages, for one platform',
      mediaType: ZIP,
      source: LAB_DIST + name,
    }),
  );
  return (await Promise.all(wheels))
    .filter((file) => file !== null)
    .map((file) => ({ ...file, path: `/simple/netsdk-lab/${file.name}` }));
}

/** Puts the hash of the wheel into each line for pip, which then installs these bytes or nothing. */
export function withWheelHash(text: string, publicUrl: string): string {
  if (!text.includes(`/${WHEEL}`)) return text;
  const wheel = wheelFile(publicUrl);
  return wheel === null ? text : text.replaceAll(WHEEL_IN_PIP_LINE, `$1#sha256=${wheel.sha256}`);
}

export function missingDownloads(publicUrl: string): Download[] {
  return DOWNLOADS.filter((download) => downloadFile(download, publicUrl) === null);
}

export function downloadFiles(publicUrl: string): DownloadFile[] {
  return DOWNLOADS.map((download) => downloadFile(download, publicUrl)).filter(
    (file) => file !== null,
  );
}
