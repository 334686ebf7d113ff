/** Every promise has a check, and every check a promise. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHECKS } from './checks.ts';
import { REQUIREMENTS, SECTIONS } from './requirements.ts';

const ids = Object.keys(REQUIREMENTS);

describe('requirements', () => {
  test('every one is cited by a check', () => {
    const cited = new Set<string>(CHECKS.flatMap(({ proves }) => proves));
    assert.deepEqual(
      ids.filter((id) => !cited.has(id)),
      [],
    );
  });

  test('every check cites one, and only such as exist', () => {
    for (const { title, proves } of CHECKS) {
      assert.ok(proves.length > 0, title);
      for (const id of proves) assert.ok(Object.hasOwn(REQUIREMENTS, id), `${title}: ${id}`);
    }
  });

  test('ids and titles are unique, and texts are sentences', () => {
    const all = Object.values(SECTIONS).flatMap((section) => Object.keys(section));
    assert.equal(new Set(all).size, all.length);
    const titles = CHECKS.map(({ title }) => title);
    assert.deepEqual(
      titles.filter((title, index) => titles.indexOf(title) !== index),
      [],
    );
    for (const text of Object.values(REQUIREMENTS)) assert.match(text, /^.{10,}\.$/);
  });
});
