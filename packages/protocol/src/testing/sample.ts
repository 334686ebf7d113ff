/**
 * The amount of testing: a sample in builds, everything in `npm run test:campaign` or if a file is run by
 * name.
 */
// oxlint-disable-next-line no-restricted-globals -- The runner of the tests says which of them run.
const isCampaign = process.env['NETD_TEST_CAMPAIGN'] === '1';

/** For tests that run only in campaigns or by file name. */
export const inCampaign = { skip: !isCampaign && 'npm run test:campaign runs it' } as const;

/** `few` in a build, `all` in a campaign. */
export const plays = <Much>(few: Much, all: Much): Much => (isCampaign ? all : few);

/** `all` in a campaign, a fifth in a build. */
export const runs = (all: number): number => plays(Math.ceil(all / 5), all);

/** At most `some` cases per kind in a build; all in a campaign. */
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
