/** Verifies a database and counts missing transitions. Arguments: the database, and a file of hashes. */
import { readFileSync } from 'node:fs';
import { Store } from '@netd/engine';
import { verifyDatabase } from '@netd/node/verify';

export interface Inspection {
  ok: boolean;
  /** The reason if invalid. */
  reason: string;
  missing: number;
}

const [file = '', names = ''] = process.argv.slice(2);
const wanted = JSON.parse(readFileSync(names, 'utf8')) as string[];

async function inspect(): Promise<Inspection> {
  try {
    const { ok, fault } = await verifyDatabase(file, {});
    if (!ok) return { ok, reason: String(fault?.reason), missing: 0 };
    const store = Store.open(file, { readOnly: true });
    const missing = wanted.filter((hash) => !store.hasTransition(hash)).length;
    await store.close();
    return { ok, reason: '', missing };
  } catch (error) {
    return { ok: false, reason: String(error), missing: 0 };
  }
}

process.stdout.write(JSON.stringify(await inspect()));
