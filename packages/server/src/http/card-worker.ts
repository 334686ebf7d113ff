/** Draws pictures as PNG. A thread of its own, because a picture takes a tenth of a second. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const ASSETS = new URL('../../cards/', import.meta.url);

/** Answers of the node go first. */
const NICENESS = 10;

/** An installed netd has the module beside its fonts. */
function moduleBytes(): Buffer {
  try {
    return readFileSync(new URL('resvg.wasm', ASSETS));
  } catch {
    return readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm'));
  }
}

// On other systems, the priority would apply to the whole process.
if (process.platform === 'linux') setPriority(NICENESS);

await initWasm(moduleBytes());
const fontBuffers = ['Roboto-Regular.ttf', 'Roboto-Bold.ttf'].map(
  (name) => new Uint8Array(readFileSync(new URL(name, ASSETS))),
);

export type CardAnswer = { png: Uint8Array } | { error: string };

function draw(svg: string): CardAnswer {
  try {
    const resvg = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'Roboto' } });
    try {
      const image = resvg.render();
      const png = new Uint8Array(image.asPng());
      image.free();
      return { png };
    } finally {
      resvg.free();
    }
  } catch (error) {
    return { error: String(error) };
  }
}

const port = parentPort;
port?.on('message', (svg: string | null) => {
  if (svg === null) port.close();
  else port.postMessage(draw(svg), []);
});
