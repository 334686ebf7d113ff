/** How much of a test runs in a build: some cases and plays. `npm run test:campaign` runs all, and so does a file that is run by its name. */
// oxlint-disable-next-line no-restricted-globals -- The runner of the tests says which of them run.
const isCampaign = process.env['NETD_TEST_CAMPAIGN'] === '1';

/** Options of a test that runs only in a campaign and by the name of its file: a build tries a part of the same elsewhere. */
export const inCampaign = { skip: !isCampaign && 'npm run test:campaign runs it' } as const;

/** How often, or with which cases, an expensive test runs: `few` in a build, `all` in a campaign. */
export const plays = <Much>(few: Much, all: Much): Much => (isCampaign ? all : few);

/** How many random plays a property gets: `all` in a campaign, a fifth of them in a build. */
export const runs = (all: number): number => plays(Math.ceil(all / 5), all);

/** Takes at most `some` cases of each kind in a build, and all of them in a campaign. */
export function fewOfEach<Case>(
  cases: readonly Case[],
  kindOf: (one: Case) => string,
  some: number,
): readonly Case[] {
  const taken = new Map<string, number>();
  return cases.filter((one) => {
    const count = (taken.get(kindOf(one)) ?? 0) + 1;
    taken.set(kindOf(one), count);
    return count <= plays(some, Number.POSITIVE_INFINITY);
  });
}
