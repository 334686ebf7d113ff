/** The English of each part keeps its goals. */
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

const texts = textsOf(fileURLToPath(new URL('..', import.meta.url)));
const parts = figuresOf(texts);

/** House words of earlier explorers, which newcomers read twice. Comments may have them. */
const REPLACED =
  /[Tt]ried (?:it )?out|[Ll]ook at it first|[Dd]raw test money|[Ll]end a key|as the node says|\banew\b|went out\b|it is not to be paid|may have happened|[Ii]n the words of who|may be left out|\bof late\b|hears from none|sealed message|been done already|[Ww]hat (?:is asked|it may do|came of it)/;

test('no page of the explorer has a phrase that was replaced', () => {
  const shown = texts.filter(
    ({ part, path, isComment }) =>
      !isComment &&
      !part.endsWith('(tests)') &&
      /^packages\/(explorer|protocol\/src\/sentences)/.test(path),
  );
  assert.ok(shown.length > 500);
  const found = shown.filter(({ text }) => REPLACED.test(text));
  assert.deepEqual(
    found.map(({ path, text }) => `${path}: ${text}`),
    [],
  );
});

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
  test(`no part has more hits of the habit "${habit}" than its goal`, () => {
    const bad: string[] = [];
    for (const [part, figures] of parts) {
      const most = GOALS[habit](figures);
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
