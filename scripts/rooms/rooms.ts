/**
 * Allowed imports between packages, types included. `npm run lint` enforces them, and a test breaks each rule once.
 * Test files may import any package's entry point.
 */
import { dirname } from 'node:path';
import type { Import } from './imports.ts';

/** From the top down: each package with the lower ones that it may import. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  cli: [
    'house',
    'mcp-signer',
    'blobs',
    'node',
    'server',
    'sync',
    'engine',
    'client-limits',
    'sdk',
    'formats',
    'ledger',
    'protocol',
  ],
  testkit: ['node', 'server', 'sync', 'documents', 'engine', 'ledger', 'protocol'],
  site: ['explorer', 'server', 'protocol'],
  explorer: ['sdk', 'formats', 'protocol'],
  node: ['server', 'sync', 'documents', 'engine', 'client-limits', 'ledger', 'protocol'],
  server: ['sync', 'documents', 'engine', 'client-limits', 'ledger', 'protocol'],
  sync: ['documents', 'engine', 'ledger', 'protocol'],
  documents: ['engine', 'ledger', 'protocol'],
  engine: ['ledger', 'protocol'],
  ledger: ['protocol'],
  house: ['sdk', 'blobs', 'formats', 'protocol'],
  'mcp-signer': ['sdk', 'blobs', 'formats', 'protocol'],
  homes: ['sdk'],
  sdk: ['blobs', 'formats', 'protocol'],
  blobs: ['client-limits', 'formats', 'protocol'],
  'client-limits': [],
  formats: ['protocol'],
  protocol: [],
};

/** The single entry point that a package may use of another. */
const ONLY_DOOR: Readonly<Record<string, string>> = {
  'documents engine': '@netd/engine/reads',
  'sdk blobs': '@netd/blobs/client',
  'house blobs': '@netd/blobs/client',
  'mcp-signer blobs': '@netd/blobs/client',
};

/** Engine folders from the top down: each may import those below it. */
const ENGINE_FOLDERS = [
  'consensus/cometbft',
  'consensus/solo',
  'consensus/follower',
  'consensus/host',
  'consensus',
  'restore',
  'replay',
  'mempool',
  'chain',
  'executor',
  'store',
];

/** Floors of the explorer from the top down: each with the lower ones that it may import. */
const EXPLORER_FLOORS: Readonly<Record<string, readonly string[]>> = {
  app: ['pages', 'marks', 'ui', 'wallet', 'chain', 'words'],
  pages: ['marks', 'ui', 'runner', 'wallet', 'chain', 'words'],
  marks: ['ui', 'wallet', 'chain', 'words'],
  // Atoms show what they are given: they know neither the node nor the wallet.
  ui: ['words'],
  runner: ['wallet', 'chain', 'words'],
  wallet: ['chain', 'words'],
  chain: ['words'],
  words: [],
};

/** Packages that a floor of the explorer may import. Without an entry, any. */
const EXPLORER_OUTSIDE: Readonly<Record<string, RegExp>> = {
  words: /^@netd\//,
  ui: /^(?!@tanstack\/react-query)/,
};

const isTest = (file: string): boolean =>
  /\.test\.tsx?$|\/testing\/|\/src\/testing\.ts$/.test(file);

const packageOf = (path: string): string => path.split('/')[1] ?? '';

/** Returns a sentence for each forbidden import. */
export function roomFaults(imports: readonly Import[]): string[] {
  return [
    ...imports.flatMap((found) => [
      ...packageFault(found),
      ...engineFault(found),
      ...explorerFault(found),
    ]),
    ...circleFaults(imports),
  ];
}

function packageFault({ file, target }: Import): string[] {
  const from = packageOf(file);
  const allowed = PACKAGES[from];
  if (!allowed) return [`${file}: scripts/rooms/rooms.ts does not know the package ${from}`];
  if (target.startsWith('packages/') || target.startsWith('..')) {
    if (packageOf(target) === from) return [];
    return [`${file} imports ${target}: import another package by its name`];
  }
  const to = /^@netd\/([^/]+)/.exec(target)?.[1];
  if (to === undefined) return [];
  if (to === from)
    return [`${file} imports ${target}: import files of the same package by their path`];
  if (isTest(file)) return [];
  if (target.endsWith('/testing') && from !== 'testkit') {
    return [`${file} imports ${target}: that door is for tests`];
  }
  if (!allowed.includes(to)) {
    return [`${file} imports ${target}: ${from} may import ${allowed.join(', ') || 'no package'}`];
  }
  const only = ONLY_DOOR[`${from} ${to}`];
  if (only !== undefined && target !== only) {
    return [`${file} imports ${target}: ${from} may import ${only} only`];
  }
  return [];
}

function engineFault({ file, target }: Import): string[] {
  if (isTest(file)) return [];
  const [from, to] = [file, target].map((path) => /^packages\/engine\/src\/(.+)\//.exec(path)?.[1]);
  const [above, below] = [from, to].map((folder) =>
    ENGINE_FOLDERS.findIndex((name) => folder === name || folder?.startsWith(`${name}/`) === true),
  );
  if (above === undefined || below === undefined || above < 0 || below < 0 || above <= below)
    return [];
  return [`${file} imports ${target}: in the engine, ${from} stands below ${to}`];
}

function explorerFault({ file, target }: Import): string[] {
  const [from, to] = [file, target].map((path) => /^packages\/explorer\/src\/(.+)/.exec(path)?.[1]);
  if (from === undefined || !from.includes('/') || isTest(file)) return [];
  const floor = from.split('/')[0] ?? '';
  const allowed = EXPLORER_FLOORS[floor];
  if (!allowed)
    return [`${file}: scripts/rooms/rooms.ts does not know the explorer's floor ${floor}`];
  const fault = (says: string): string[] => [`${file} imports ${target}: in the explorer, ${says}`];
  if (to === undefined) {
    const isAllowed = EXPLORER_OUTSIDE[floor]?.test(target) ?? true;
    return isAllowed ? [] : fault(`${floor} does not import that package`);
  }
  const below = to.split('/')[0] ?? '';
  if (below === 'styles') return [];
  if (below !== floor) {
    if (allowed.includes(below)) return [];
    return fault(`${floor} may import ${allowed.join(', ') || 'no other floor'}`);
  }
  // A page and the folder of its name are one thing.
  const [page, other] = [from, to].map((path) => path.split('/')[1]?.replace(/\.tsx?$/, ''));
  if (floor !== 'pages' || page === other) return [];
  return fault(`pages do not import each other: move what they share to a lower floor`);
}

/**
 * Finds cycles of folders, indirect ones too. A folder and its subfolder count as one if either imports the other,
 * so that cycles through both are found. A package's `src` contains all its folders, so it is never merged.
 */
function circleFaults(imports: readonly Import[]): string[] {
  const between = imports.flatMap(({ file, target }) => {
    const [from, to] = [dirname(file), dirname(target)];
    if (isTest(file) || !target.startsWith('packages/')) return [];
    // Generated tables count as part of the files around them.
    if (from.endsWith('/generated') || to.endsWith('/generated')) return [];
    return [{ from, to, reason: `${file} imports ${target}` }];
  });
  const apart = circlesIn(
    between.filter(({ from, to }) => !isInside(from, to) && !isInside(to, from)),
  );
  if (apart.length > 0) return apart;
  const outer = outermost(between);
  return circlesIn(
    between
      .map(({ from, to, reason }) => ({ from: outer(from), to: outer(to), reason }))
      .filter(({ from, to }) => !isInside(from, to) && !isInside(to, from)),
  );
}

interface Arrow {
  from: string;
  to: string;
  reason: string;
}

/** Returns a function that maps a folder to the outermost folder merged with it. */
function outermost(arrows: readonly Arrow[]): (folder: string) => string {
  const above = new Map<string, string>();
  for (const { from, to } of arrows) {
    const [inner, outer] = isInside(from, to) ? [from, to] : [to, from];
    if (inner === outer || !isInside(inner, outer) || outer.endsWith('/src')) continue;
    const known = above.get(inner);
    if (known === undefined || isInside(known, outer)) above.set(inner, outer);
  }
  const find = (folder: string): string => {
    const next = above.get(folder);
    return next === undefined ? folder : find(next);
  };
  return find;
}

function circlesIn(all: readonly Arrow[]): string[] {
  const arrows = new Map<string, Map<string, string>>();
  for (const { from, to, reason } of all) {
    const targets = arrows.get(from) ?? new Map<string, string>();
    targets.set(to, reason);
    arrows.set(from, targets);
  }
  const done = new Set<string>();
  const faults: string[] = [];
  const visit = (folder: string, way: readonly string[], reasons: readonly string[]): void => {
    const start = way.indexOf(folder);
    if (start >= 0) {
      const circle = [...way.slice(start), folder].join(' → ');
      faults.push(`${circle} is a circle: ${reasons.slice(start).join(', ')}`);
      return;
    }
    if (done.has(folder)) return;
    for (const [to, reason] of arrows.get(folder) ?? []) {
      visit(to, [...way, folder], [...reasons, reason]);
    }
    done.add(folder);
  };
  for (const folder of arrows.keys()) visit(folder, [], []);
  return faults;
}

const isInside = (folder: string, other: string): boolean => `${folder}/`.startsWith(`${other}/`);
