/** Remembers the files of the last passing run, and lists later changes. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tier } from './times.ts';

const KEPT = fileURLToPath(new URL('../../node_modules/.cache/tests/passed.json', import.meta.url));

/** Ids of Git trees by tier. */
type Passed = Partial<Record<Tier, string>>;

/**
 * Stores all files of the working tree, committed or not, as a Git tree.
 *
 * @returns its id; null outside of a Git repository
 */
export function treeNow(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'netd-index-'));
  try {
    const index = join(folder, 'index');
    const own = git(['rev-parse', '--git-path', 'index']);
    // A copy knows which files are unchanged, so that Git reads only the others.
    if (existsSync(own)) copyFileSync(own, index);
    git(['add', '--all'], index);
    return git(['write-tree'], index);
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Lists the files that differ from the last run of this tier in which everything passed.
 *
 * @param tree of the files now, from `treeNow`
 * @returns paths below the root; null if no such run is known
 */
export function changedSince(tier: Tier, tree: string): string[] | null {
  const { [tier]: own, quick } = passed();
  // `npm test` runs all that `npm run check` does.
  const base = own ?? (tier === 'unit' ? quick : undefined);
  if (base === undefined) return null;
  try {
    const names = git(['diff-tree', '-r', '--name-only', '--no-renames', '-z', base, tree]);
    return names.split('\0').filter((name) => name !== '');
  } catch {
    // Git collects unreferenced objects after some weeks.
    return null;
  }
}

/** Remembers that everything passed with these files. */
export function keepPassed(tier: Tier, tree: string): void {
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, `${JSON.stringify({ ...passed(), [tier]: tree })}\n`);
}

function passed(): Passed {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8')) as Passed;
  } catch {
    return {};
  }
}

function git(args: readonly string[], index?: string): string {
  return execFileSync('git', args, {
    encoding: 'utf8',
    env: index === undefined ? process.env : { ...process.env, GIT_INDEX_FILE: index },
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim();
}
