/**
 * What `npm test` takes of tests that are too many for it, in `*.sample.test.ts` and `*.prop.test.ts`: one case of each kind and
 * fewer random plays. `npm run test:slow` runs all of them, and so does a file that is run by its name.
 */
// oxlint-disable-next-line no-restricted-globals -- Which tests there are is said by the one who runs them.
export const isSample = process.env['NETD_TEST_SAMPLE'] === '1';

/** Options of a test that `npm test` leaves out, in a file of which it takes others. */
export const atLength = { skip: isSample && 'npm run test:slow runs it' } as const;

// oxlint-disable-next-line no-restricted-globals -- As above.
const isCampaign = process.env['NETD_TEST_CAMPAIGN'] === '1';

/** Options of a test that only `npm run test:campaign` and its name run: what it tries in full is tried in part elsewhere. */
export const inCampaign = { skip: !isCampaign && 'npm run test:campaign runs it' } as const;

/** How often what takes a second each time is tried, or with what: `few`, and in a campaign `all`. */
export const plays = <Much>(few: Much, all: Much): Much => (isCampaign ? all : few);

/** Of `npm test` the first of each kind; of `npm run test:slow` some of each kind, all unless told; of a campaign every case. */
export function sample<Case>(
  cases: readonly Case[],
  kindOf: (one: Case) => string = () => '',
  some = Number.POSITIVE_INFINITY,
): readonly Case[] {
  const most = isSample ? 1 : plays(some, Number.POSITIVE_INFINITY);
  const taken = new Map<string, number>();
  return cases.filter((one) => {
    const kind = kindOf(one);
    const count = (taken.get(kind) ?? 0) + 1;
    taken.set(kind, count);
    return count <= most;
  });
}

/** How often a property is tried with new values: `all` times in a campaign, else half of them, and in `npm test` a fifth. */
export const runs = (all: number): number => Math.ceil(all / (isSample ? 5 : plays(2, 1)));
