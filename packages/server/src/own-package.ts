import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

const ROOT = new URL('../../../', import.meta.url);

interface OwnPackage {
  fileName: string;
  bytes: Buffer;
}

let made: OwnPackage | null = null;
let making: Promise<void> | null = null;

export function ownPackage(fileName: string): Buffer | null {
  return made?.fileName === fileName ? made.bytes : null;
}

/** Builds the package. Resolves at once in a repository, where the build makes it. */
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
  // Use a thread, because compression takes a second.
  const worker = new Worker(new URL('own-package-worker.ts', import.meta.url), {
    name: 'own-package',
    workerData: { root: ROOT.href, files: JSON.parse(text) as string[] },
  });
  const bytes = await new Promise<Uint8Array | null>((resolve) => {
    worker.once('message', resolve);
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
