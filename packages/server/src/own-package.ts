/**
 * The package that this node was installed from, made again from its files: an installed node hands on what it is. A package
 * cannot hold itself, and its bytes depend on nothing but its files.
 */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const ROOT = new URL('../../../', import.meta.url);

interface OwnPackage {
  /** The name of the file below /downloads. */
  fileName: string;
  bytes: Buffer;
}

let made: OwnPackage | null = null;
let making: Promise<void> | null = null;

/** What has been made. */
export function ownPackage(fileName: string): Buffer | null {
  return made?.fileName === fileName ? made.bytes : null;
}

/** Resolves when what this node was installed from can be handed on; at once in a repository, where it is a build. */
export function makeOwnPackage(): Promise<void> {
  making ??= startMaking();
  return making;
}

async function startMaking(): Promise<void> {
  const text = readOrNull('files.json');
  if (text === null) return;
  const { name, version } = JSON.parse(readOrNull('package.json') ?? '{}') as {
    name: string;
    version: string;
  };
  // Compressing takes a second that no other request should wait for.
  const worker = new Worker(new URL('own-package-worker.ts', import.meta.url), {
    name: 'own-package',
    workerData: { root: ROOT.href, files: JSON.parse(text) as string[] },
  });
  const bytes = await new Promise<Uint8Array | null>((resolve) => {
    worker.once('message', resolve);
    // Without its files it hands on nothing, and says so as of any file that is not there.
    worker.once('error', () => resolve(null));
  });
  if (bytes) made = { fileName: `${name}-${version}.tgz`, bytes: Buffer.from(bytes) };
}

function readOrNull(name: string): string | null {
  try {
    return readFileSync(new URL(name, ROOT), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
