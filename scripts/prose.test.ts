/** The English of each part keeps the goals of `prose.ts`, or does not get worse until it does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  figuresOf,
  type Figures,
  type Habit,
  HABIT_NAMES,
  hitsIn,
  textsIn,
  textsOf,
} from './prose.ts';

/** Hits that a part may have; small parts may have three of each kind. */
const GOALS: Readonly<Record<Habit, (figures: Figures) => number>> = {
  where: (figures) => Math.max(3, 0.3 * figures.if),
  hidden: (figures) => Math.max(3, (0.4 * figures.words) / 1_000),
  opener: (figures) => Math.max(3, 0.01 * figures.texts),
};

/** Parts that miss a goal, with the hits that they have. Lower a figure when you mend a sentence; never raise one. */
const STILL: Readonly<Record<string, Partial<Record<Habit, number>>>> = {
  'clients/join (tests)': { hidden: 5 },
  'clients/python (tests)': { where: 17, hidden: 26, opener: 30 },
  'conformance (tests)': { hidden: 8 },
  'packages/blobs (tests)': { hidden: 17 },
  'packages/cli (tests)': { where: 31, hidden: 51, opener: 40 },
  'packages/engine (tests)': { where: 29, hidden: 53, opener: 27 },
  'packages/explorer (tests)': { where: 16, hidden: 24, opener: 13 },
  'packages/ledger (tests)': { hidden: 70 },
  'packages/node (tests)': { where: 22, hidden: 21, opener: 7 },
  'packages/sdk (tests)': { where: 78, hidden: 63, opener: 52 },
  'packages/server (tests)': { where: 37, hidden: 61, opener: 41 },
  'packages/sync (tests)': { where: 16, hidden: 44, opener: 22 },
  'packages/testkit (tests)': { hidden: 6 },
  'scripts (tests)': { where: 5, hidden: 5, opener: 8 },
};

const texts = textsOf(fileURLToPath(new URL('..', import.meta.url)));
const parts = figuresOf(texts);

test('finds texts of every kind', () => {
  const found = textsIn(
    'packages/x/src/a.tsx',
    `// Whether it is so.
// What goes on is the same comment.
/** Refused where it is full. */
const a = <p>Nobody looks at this one</p>;
const b = 'short where it';
const c = \`what \${a} is refused where the disk is full\`;`,
  );
  const hits = HABIT_NAMES.map((habit) => found.flatMap((text) => hitsIn(text, habit)));
  assert.deepEqual(hits, [['where it', 'where the'], ['What goes ', 'Nobody'], ['Whether']]);
  assert.deepEqual(
    [...new Set(found.map(({ part }) => part))],
    ['packages/x', 'packages/x (strings)'],
  );
  assert.ok(parts.size > 50 && texts.length > 10_000, `${parts.size} parts, ${texts.length} texts`);
});

for (const habit of HABIT_NAMES) {
  test(`no part has more hits of the habit "${habit}" than its goal, or than it had`, () => {
    const bad: string[] = [];
    for (const [part, figures] of parts) {
      const goal = GOALS[habit](figures);
      const most = STILL[part]?.[habit] ?? goal;
      if (figures[habit] <= most) continue;
      const hits = texts.filter((text) => text.part === part && hitsIn(text, habit).length > 0);
      const some = hits.slice(0, 5).map(({ path, text }) => `\n    ${path}: ${text.slice(0, 120)}`);
      bad.push(
        `${part} has ${figures[habit]}, and may have ${Math.floor(most)}: say it in another way.${some.join('')}`,
      );
    }
    assert.deepEqual(bad, []);
  });
}

test('the list of parts that miss a goal names none that keeps it', () => {
  const kept = Object.entries(STILL).flatMap(([part, most]) => {
    const figures = parts.get(part);
    return HABIT_NAMES.filter(
      (habit) => most[habit] !== undefined && (!figures || figures[habit] <= GOALS[habit](figures)),
    ).map((habit) => `${part}: ${habit}`);
  });
  assert.deepEqual(kept, []);
});
