/** What no answer of a running node can show: where in this repository it is stated. */
export const ELSEWHERE = {
  'versioning.policy': {
    text: 'What may change between versions is for the network to decide, and is written down.',
    file: 'CONTRIBUTING.md',
    says: 'never renamed',
  },
  'secure-mode.switch': {
    text: 'How secure mode is turned off is written down.',
    file: 'docs/operations.md',
    says: '--open',
  },
} as const;
