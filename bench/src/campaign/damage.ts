/** Torn pages: half is older or empty. The damage must be found, or lose nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '@netd/testkit/simulation';
import { copyState } from '../states.ts';
import type { Inspection } from './inspect-database.ts';

const INSPECT = fileURLToPath(new URL('inspect-database.ts', import.meta.url));
const PAGE = 4_096;

/**
 * Tears a page of a copied database and verifies it in a child process, which a damaged memory map may crash.
 * @returns `found`, `nothing was lost`, or the fault
 */
export async function tearPage(
  dataDir: string,
  acknowledged: readonly string[],
  random: Random,
): Promise<{ verdict: string; fault: string | null }> {
  const copy = `${dataDir}-torn`;
  await copyState(dataDir, copy);
  try {
    const database = join(copy, 'chain');
    const page = tear(join(database, 'data.mdb'), random);
    const names = join(copy, 'acknowledged.json');
    writeFileSync(names, JSON.stringify(acknowledged));
    const seen = await inspect(database, names);
    if (seen === null) return { verdict: 'the reader was ended by a signal', fault: null };
    if (!seen.ok) return { verdict: 'found', fault: null };
    if (seen.missing === 0) return { verdict: 'nothing was lost', fault: null };
    const fault = `page ${page}: it verifies, and ${seen.missing} acknowledged writes are gone`;
    return { verdict: 'missed', fault };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

function tear(file: string, random: Random): number {
  const pages = Math.floor(statSync(file).size / PAGE);
  const page = random.below(pages);
  const bytes = Buffer.alloc(PAGE / 2);
  const descriptor = openSync(file, 'r+');
  try {
    // Half stays, as if power failed while another page or nothing was written over it.
    if (random.chance(0.5))
      readSync(descriptor, bytes, 0, bytes.length, random.below(pages) * PAGE);
    writeSync(
      descriptor,
      bytes,
      0,
      bytes.length,
      page * PAGE + (random.chance(0.5) ? 0 : PAGE / 2),
    );
  } finally {
    closeSync(descriptor);
  }
  return page;
}

async function inspect(database: string, names: string): Promise<Inspection | null> {
  const child = spawn(process.execPath, [INSPECT, database, names], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stdout.on('data', (data) => (said += String(data)));
  await once(child, 'close');
  return said === '' ? null : (JSON.parse(said) as Inspection);
}
