/**
 * Builds what a node hands out beside the SDKs into dist/: programs that run without this repository. `npm run build` does this last.
 * The same sources make the same bytes.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { VERSION } from '@netd/protocol/version';
import { ROOT } from './bundle.ts';
import { programPackage } from './program-package.ts';
import { NETD } from './programs.ts';

const DIST = join(ROOT, 'dist');

/** @param directory emptied before, so that nothing of an older version is handed out */
async function buildArtefacts(directory: string): Promise<void> {
  const draft = `${directory}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const netd = await programPackage(NETD);
  writeFileSync(join(draft, `netd-${VERSION}.tgz`), netd);
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
}

await buildArtefacts(resolve(process.argv[2] ?? DIST));
