/** Pictures and files that are derived from lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf, jsonOf } from './csv.ts';
import { placeLineage } from './lineage.ts';

test('places a recruiter between its recruits, one column before them', () => {
  const { agents, columns, rows } = placeLineage('a', [
    { agentId: 'b', referrerAgentId: 'a' },
    { agentId: 'c', referrerAgentId: 'a' },
    { agentId: 'd', referrerAgentId: 'c' },
  ]);
  const at = Object.fromEntries(agents.map(({ agentId, column, row }) => [agentId, [column, row]]));
  assert.deepEqual(at, { b: [1, 0], d: [2, 1], c: [1, 1], a: [0, 0.5] });
  assert.deepEqual([columns, rows], [3, 2]);
});

test('a lineage that is given as a circle ends', () => {
  const { agents } = placeLineage('a', [
    { agentId: 'b', referrerAgentId: 'a' },
    { agentId: 'a', referrerAgentId: 'b' },
  ]);
  assert.equal(agents.length, 2);
});

test('a title that a spreadsheet would compute stays a text', () => {
  const table = {
    names: ['title', 'net'],
    rows: [
      ['=HYPERLINK("x")', 1],
      ['a, b', null],
      ['-1', -1],
    ],
  };
  const csv = csvOf(table);
  assert.equal(csv, `title,net\r\n"'=HYPERLINK(""x"")",1\r\n"a, b",\r\n"'-1",-1\r\n`);
  assert.deepEqual(JSON.parse(jsonOf(table))[1], { title: 'a, b', net: null });
  for (const sign of '=+-@\t\r\n＝＋－＠')
    assert.match(csvOf({ names: [], rows: [[`${sign}1`]] }), /"'.1"/s, JSON.stringify(sign));
});
