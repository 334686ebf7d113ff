/**
 * What `npm test` takes of tests that are too many for it, in `*.sample.test.ts` and `*.prop.test.ts`: one case of each kind and
 * fewer random plays. `npm run test:slow` runs all of them, and so does a file that is run by its name.
 */
// oxlint-disable-next-line no-restricted-globals -- Which tests there are is said by the one who runs them.
export const isSample = process.env['NETD_TEST_SAMPLE'] === '1';

/** Options of a test that `npm test` leaves out, in a file of which it takes others. */
export const atLength = { skip: isSample && 'npm run test:slow runs it' } as const;

/** Every case, or the first of each kind. */
export function sample<Case>(
  cases: readonly Case[],
  kindOf: (one: Case) => string = () => '',
): readonly Case[] {
  if (!isSample) return cases;
  return [...Map.groupBy(cases, kindOf).values()].flatMap((ofKind) => ofKind.slice(0, 1));
}

// oxlint-disable-next-line no-restricted-globals -- As above.
const isCampaign = process.env['NETD_TEST_CAMPAIGN'] === '1';

/** How often what takes a second each time is tried: `few` times, with `NETD_TEST_CAMPAIGN=1` `all` times. */
export const plays = (few: number, all: number): number => (isCampaign ? all : few);

/** How often a property is tried with new values: `all` times, or a fifth of them. */
export const runs = (all: number): number => (isSample ? Math.ceil(all / 5) : all);
