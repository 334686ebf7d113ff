/**
 * Builds what a node hands out beside the SDKs into dist/: programs that run without this repository. `npm run build` does this last.
 * The same sources make the same bytes.
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

/** @param directory emptied before, so that nothing of an older version is handed out */
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
  // An installed node hands on what it was installed with, and itself.
  files[`netd-${VERSION}.tgz`] = await programPackage(NETD, below('dist', files));
  files[`net-release-${VERSION}.tar.gz`] = await releaseArchive({ ...files, ...sdks() });
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(draft, name), bytes);
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
}

/** What was built before, and is handed out too. */
const sdks = (): Files =>
  Object.fromEntries(
    [
      `packages/sdk/dist/net-sdk-${VERSION}.tgz`,
      `clients/python/dist/netsdk-${VERSION}-py3-none-any.whl`,
    ].map((path) => [basename(path), readFileSync(join(ROOT, path))]),
  );

/** The same files in a folder. */
const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes]));

await buildArtefacts(resolve(process.argv[2] ?? DIST));
