/** `netd upgrade` for the database: checks it, prepares it in place, or goes back. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type ConvertProgress,
  isPrepared,
  Store,
  STORE_FORMAT,
  type StoreFacts,
  wayOf,
} from '@netd/engine';
import { NEWEST_RULES, rulesAt } from '@netd/ledger';
import { VERSION } from '@netd/protocol/version';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { answer } from '../output.ts';
import { ProgressBar, type Screen } from '../progress-bar.ts';
import { programName } from '../program-name.ts';
import type { Terminal } from '../terminal.ts';

interface CheckOptions {
  dataDir: string;
  json?: boolean;
}

export async function check(options: CheckOptions, terminal: Terminal): Promise<void> {
  const { dataDir, path } = chainIn(options);
  const facts = await Store.describe(path);
  const { format, height, outdatedLists } = facts;
  const rules = rulesOfHead(path, facts);
  const verdict = verdictOn(facts, rules);
  const follower = existsSync(join(dataDir, 'follow.json'));
  const isDue = verdict === 'converts' || verdict === 'rebuilds lists';
  const prepared = isDue && isPrepared(path);
  const found = {
    dataDir,
    version: VERSION,
    format,
    reads: STORE_FORMAT,
    height,
    outdatedLists,
    rules,
    verdict,
    prepared,
  };
  if (['older', 'newer', 'unknown rules'].includes(verdict)) terminal.exitCode = EXIT.failed;
  answer(terminal, options, found, () => {
    const at = `The database in ${dataDir} has format ${format ?? 'none yet'}, block ${height ?? 'none'}; netd ${VERSION} reads format ${STORE_FORMAT}.`;
    return `${at}\n${prepared ? PREPARED : whatToDo(verdict, follower, outdatedLists)}`;
  });
}

function chainIn(options: CheckOptions): { dataDir: string; path: string } {
  const dataDir = resolve(options.dataDir);
  const path = join(dataDir, 'chain');
  if (existsSync(path)) return { dataDir, path };
  throw new CommandError(`there is no chain in ${dataDir}: name its data directory with -d`);
}

/** Returns the rules version of the last block; null if there is none or this version cannot read it. */
function rulesOfHead(path: string, facts: StoreFacts): number | null {
  const isReadable = facts.format === STORE_FORMAT || wayOf(facts) !== null;
  if (facts.height === null || !isReadable) return null;
  const store = Store.open(path, { readOnly: true, anyFormat: true, anyLists: true });
  const snapshot = store.snapshot();
  try {
    return rulesAt(snapshot, snapshot.height).version;
  } finally {
    snapshot.close();
    void store.close();
  }
}

type Verdict = 'opens' | 'rebuilds lists' | 'converts' | 'unknown rules' | 'older' | 'newer';

function verdictOn(facts: StoreFacts, rules: number | null): Verdict {
  const { format, outdatedLists } = facts;
  if (rules !== null && rules > NEWEST_RULES) return 'unknown rules';
  if (outdatedLists.length > 0) return 'rebuilds lists';
  if (format === null || format === STORE_FORMAT) return 'opens';
  if (wayOf(facts) !== null) return 'converts';
  return format < STORE_FORMAT ? 'older' : 'newer';
}

/** @throws DataDirError, StoreError with a sentence for the operator; the database in use stays unchanged */
export async function prepare(options: CheckOptions, terminal: Terminal): Promise<void> {
  const { dataDir } = chainIn(options);
  const { prepareDatabase } = await import('@netd/node');
  const bars = options.json === true ? null : new ConversionBars(process.stderr);
  const signal = terminal.interruption();
  try {
    const prepared = await prepareDatabase(dataDir, {
      signal,
      onConversion: (progress) => bars?.update(progress),
    });
    answer(terminal, options, { dataDir, prepared }, () =>
      prepared === null
        ? `The database in ${dataDir} needs no conversion. ${programName()} upgrade --check says whether this version can open it.`
        : `The database in ${dataDir} is converted up to block ${prepared.height}. ${PREPARED}`,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandError('stopped: the same command goes on from here', 'STOPPED', 'interrupted');
  } finally {
    bars?.stop();
  }
}

class ConversionBars {
  private readonly screen: Screen;
  private phase: ConvertProgress['phase'] | null = null;
  private bar: ProgressBar | null = null;

  constructor(screen: Screen) {
    this.screen = screen;
  }

  update({ phase, done, total }: ConvertProgress): void {
    if (phase !== this.phase) {
      this.stop();
      this.phase = phase;
      this.bar = new ProgressBar(
        LABELS[phase],
        this.screen,
        phase === 'execute' ? 'height' : 'part',
      );
      this.bar.start(total);
    }
    this.bar?.update(done, '');
  }

  stop(): void {
    this.bar?.stop();
    this.bar = null;
  }
}

const LABELS: Readonly<Record<ConvertProgress['phase'], string>> = {
  copied: 'copying the database',
  blocks: 'indexing blocks',
  nonces: 'collecting nonces',
  tree: 'building the state tree',
  lists: 'rebuilding lists',
  execute: 'executing blocks',
  converted: 'finishing',
};

/** @throws DataDirError if the node runs, there is nothing to go back to, or it made a block since */
export async function back(options: CheckOptions, terminal: Terminal): Promise<void> {
  const { dataDir } = chainIn(options);
  const { undoConversion } = await import('@netd/node');
  const { height, blockHash } = await undoConversion(dataDir);
  answer(
    terminal,
    options,
    { dataDir, height, blockHash },
    () =>
      `The database from before the conversion is back in ${dataDir}, with block ${height}. Start the old version. Keys and records of what was signed are as they were.`,
  );
}

const PREPARED =
  'A converted database is beside the old one. Stop the old version and start this one: it executes the blocks since, and puts the new database into place.';

function whatToDo(verdict: Verdict, follower: boolean, outdatedLists: readonly string[]): string {
  if (verdict === 'opens') return 'It can go on here: stop the old version, start this one.';
  if (verdict === 'rebuilds lists') {
    return `It can go on here: stop the old version, start this one. At its first start it rebuilds the lists of ${outdatedLists.join(', ')} from the records, and answers when that is done.`;
  }
  if (verdict === 'converts') {
    return `It can go on here: stop the old version, start this one. That start converts the database first, and keeps the old one until the first new block (${programName()} upgrade --back). To keep it short, run ${programName()} upgrade --prepare now, while the old version runs.`;
  }
  if (verdict === 'unknown rules') {
    return `Its last block has a version of the rules that netd ${VERSION} lacks (it knows those up to ${NEWEST_RULES}): go on with the release that executed it. Nothing was changed.`;
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
