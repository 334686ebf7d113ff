/** The areas of the navigation. A test checks that every page prefix belongs to exactly one of them. */
import type { IconName } from '../words/icon-paths.ts';

type Place = readonly [path: string, icon: IconName, name: string];

export interface Area {
  name: string;
  icon: IconName;
  /** The page that its link opens. */
  to: string;
  pages: readonly Place[];
  /** Prefixes of the paths at which the area is the current one. */
  prefixes: readonly string[];
}

/** Served beside the explorer, so its link loads another page. */
export const DOCUMENTATION = '/docs';

/** The number of areas in a phone's tab bar. Its menu has the others. */
export const TABS = 5;

export const AREAS: readonly Area[] = [
  area('Live', [['/', 'now', 'Live']]),
  area('Work', [['/work', 'work', 'Work']]),
  area('Agents', [['/agents', 'agents', 'Agents']], '/run'),
  area('Money', [
    ['/economy', 'economy', 'Economy'],
    ['/tokens', 'tokens', 'Tokens'],
  ]),
  area(
    'Chain',
    [
      ['/blocks', 'blocks', 'Blocks'],
      ['/network', 'network', 'Network'],
      ['/governance', 'governance', 'Governance'],
      ['/verify', 'verify', 'Verify'],
    ],
    '/transitions',
  ),
  area('Docs', [
    ['/developers', 'developers', 'Developers'],
    [DOCUMENTATION, 'more', 'Documentation'],
  ]),
];

/** All pages of the explorer that the search offers by name. */
export const PLACES: readonly Place[] = [
  ...AREAS.flatMap(({ pages }) => pages).filter(([to]) => to !== DOCUMENTATION),
  ['/run', 'now', 'Run an agent'],
  ['/wallet', 'wallet', 'Wallet'],
];

export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || (prefix !== '/' && path.startsWith(`${prefix}/`));
}

function area(name: string, pages: readonly Place[], ...further: string[]): Area {
  const [[to, icon]] = pages as [Place];
  return { name, icon, to, pages, prefixes: [...pages.map(([path]) => path), ...further] };
}
