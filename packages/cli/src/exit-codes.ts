export const EXIT_CODES = {
  done: { code: 0, meaning: 'done, or what was asked about holds' },
  failed: { code: 1, meaning: 'refused, failed, or what was asked about does not hold' },
  usage: { code: 2, meaning: 'wrongly typed: nothing was sent' },
  unreachable: { code: 3, meaning: 'no node answers, or it is too busy' },
  outdated: {
    code: 4,
    meaning: 'this netd lacks the rules of the next block: install the release that it names',
  },
  unfinished: { code: 13, meaning: 'ended without a result: a defect of netd' },
  interrupted: { code: 130, meaning: 'Ctrl-C before the end' },
} as const;

export type ExitName = keyof typeof EXIT_CODES;

export const EXIT = Object.fromEntries(
  Object.entries(EXIT_CODES).map(([name, { code }]) => [name, code]),
) as { readonly [Name in ExitName]: (typeof EXIT_CODES)[Name]['code'] };
