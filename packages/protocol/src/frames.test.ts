import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { addToRole, type FrameParty } from './frames.ts';

const MOST = 3;
const amounts = fc.record({ unet: fc.nat(9), refused: fc.nat(3), times: fc.nat(2) });

test('a role is in order, keeps its largest parties, and loses no amount', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(12), amounts), { maxLength: 60 }), (all) => {
      const role: FrameParty[] = [];
      for (const [at, more] of all) {
        const before = [...role];
        addToRole(role, `a${at}`, more, MOST);
        const named = role.filter(({ id }) => id !== null);
        const size = ({ unet, refused }: FrameParty): number => unet + refused;
        const sorted = named.toSorted(
          (a, b) =>
            size(b) - size(a) || b.times - a.times || ((a.id ?? '') < (b.id ?? '') ? -1 : 1),
        );
        assert.deepEqual(named, sorted);
        assert.ok(named.length <= MOST);
        assert.ok(role.slice(0, -1).every(({ id }) => id !== null));
        // A party loses its place only to a party at least as large.
        const least = named.at(-1);
        for (const party of before) {
          if (party.id === null || named.some(({ id }) => id === party.id)) continue;
          assert.ok(least && size(least) >= size(party));
        }
      }
      const sum = (list: readonly { unet: number; refused: number; times: number }[]) =>
        list.reduce(
          (total, { unet, refused, times }) => total + unet * 1e6 + refused * 1e3 + times,
          0,
        );
      assert.equal(sum(role), sum(all.map(([, more]) => more)));
    }),
  );
});
