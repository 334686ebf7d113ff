/**
 * Builds what a node serves beside the SDKs into dist/: programs that run without this repository. Last step
 * of `npm run build`. Builds are reproducible.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { MCP_BUNDLE } from '@netd/server/mcp-registry';
import { VERSION } from '@netd/protocol/version';
import { agentSkill, launchKit, operatorHandoff } from './archives.ts';
import { ROOT } from './bundle.ts';
import type { Files } from './files.ts';
import { mcpBundle, registryEntry } from './mcp-bundle.ts';
import { programPackage } from './program-package.ts';
import { NET_FOLLOWER, NETD } from './programs.ts';
import { releaseArchive } from './release.ts';

const DIST = join(ROOT, 'dist');

/** @param directory emptied first, so that no older version is served */
async function buildArtefacts(directory: string): Promise<void> {
  const draft = `${directory}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const bundle = await mcpBundle();
  const files: Record<string, Uint8Array> = {
    [`net-agent-skill-${VERSION}.zip`]: agentSkill(),
    [`net-launch-kit-${VERSION}.zip`]: launchKit(),
    [`net-operator-handoff-${VERSION}.zip`]: operatorHandoff(),
    [MCP_BUNDLE]: bundle,
    'server.json': registryEntry(bundle),
    [`net-follower-${VERSION}.tgz`]: await programPackage(NET_FOLLOWER),
  };
  // An installed node serves its own package too.
  files[`netd-${VERSION}.tgz`] = await programPackage(NETD, below('dist', files));
  files[`net-release-${VERSION}.tar.gz`] = await releaseArchive({ ...files, ...sdks() });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(draft, name), bytes);
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
}

/** Earlier build products to serve. */
const sdks = (): Files =>
  Object.fromEntries(
    [
      `packages/sdk/dist/net-sdk-${VERSION}.tgz`,
      `clients/python/dist/netsdk-${VERSION}-py3-none-any.whl`,
    ].map((path) => [basename(path), readFileSync(join(ROOT, path))]),
  );

const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes]));

await buildArtefacts(resolve(process.argv[2] ?? DIST));
