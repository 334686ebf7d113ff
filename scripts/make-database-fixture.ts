/**
 * Writes the golden chain's database as `packages/engine/fixtures/format-N.mdb.br`. Run it once per format number;
 * later versions must open the old files.
 * node scripts/make-database-fixture.ts
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { STORE_FORMAT } from '@netd/engine';
import { goldenChain, replayInto } from '@netd/testkit/golden-chain';

const path = new URL(`../packages/engine/fixtures/format-${STORE_FORMAT}.mdb.br`, import.meta.url);
if (existsSync(path)) {
  console.error(`${path.pathname} is there: what has been written once stays as it is`);
  process.exit(1);
}
const directory = mkdtempSync(join(tmpdir(), 'netd-fixture-'));
try {
  await replayInto(directory, goldenChain());
  const database = readFileSync(join(directory, 'chain', 'data.mdb'));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: database.length,
  };
  writeFileSync(path, brotliCompressSync(database, { params }));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
