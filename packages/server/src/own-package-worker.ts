import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { makeTarball } from './tarball.ts';

const { root, files } = workerData as { root: string; files: string[] };
const content = Object.fromEntries(files.map((path) => [path, readFileSync(new URL(path, root))]));
parentPort?.postMessage(new Uint8Array(await makeTarball(content)), []);
