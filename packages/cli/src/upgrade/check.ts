/** `netd upgrade --check`: what this version does with a database. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Store, STORE_FORMAT } from '@netd/engine';
import { VERSION } from '@netd/protocol/version';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { answer } from '../output.ts';
import type { Terminal } from '../terminal.ts';

interface CheckOptions {
  dataDir: string;
  json?: boolean;
}

export async function check(options: CheckOptions, terminal: Terminal): Promise<void> {
  const dataDir = resolve(options.dataDir);
  const path = join(dataDir, 'chain');
  if (!existsSync(path)) {
    throw new CommandError(`there is no chain in ${dataDir}: name its data directory with -d`);
  }
  const { format, height, outdatedLists } = await Store.describe(path);
  const verdict = outdatedLists.length > 0 ? 'rebuilds lists' : verdictOn(format);
  const follower = existsSync(join(dataDir, 'follow.json'));
  const found = {
    dataDir,
    version: VERSION,
    format,
    reads: STORE_FORMAT,
    height,
    outdatedLists,
    verdict,
  };
  if (verdict === 'older' || verdict === 'newer') terminal.exitCode = EXIT.failed;
  answer(terminal, options, found, () => {
    const at = `The database in ${dataDir} has format ${format ?? 'none yet'}, block ${height ?? 'none'}; netd ${VERSION} reads format ${STORE_FORMAT}.`;
    return `${at}\n${whatToDo(verdict, follower, outdatedLists)}`;
  });
}

type Verdict = 'opens' | 'rebuilds lists' | 'older' | 'newer';

function verdictOn(format: number | null): Verdict {
  if (format === null || format === STORE_FORMAT) return 'opens';
  return format < STORE_FORMAT ? 'older' : 'newer';
}

function whatToDo(verdict: Verdict, follower: boolean, outdatedLists: readonly string[]): string {
  if (verdict === 'opens') return 'It can go on here: stop the old version, start this one.';
  if (verdict === 'rebuilds lists') {
    return `It can go on here: stop the old version, start this one. At its first start it rebuilds the lists of ${outdatedLists.join(', ')} from the records, and answers when that is done.`;
  }
  if (verdict === 'newer') {
    return 'A newer version wrote it, and this one cannot read it: go on with that one. Nothing was changed.';
  }
  const again =
    'netd follow OLD_NODE --from genesis --data-dir NEW, with this version, executes every block again';
  return follower
    ? `This version does not convert it. ${again}: then remove this copy.`
    : `This version does not convert it. Let the old version run on; ${again}. Then stop the old one, and netd promote --data-dir NEW --keys OLD/keys takes its place.`;
}
