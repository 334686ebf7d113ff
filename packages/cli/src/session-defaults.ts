import { DESCRIBED_SIGNER_TOOLS } from '@netd/mcp-signer';

/** Not a default action, so the owner must permit payments explicitly. */
const PAYMENT = 'transfer';

/** Actions of the signer's tools, which work, hire, talk and remember. */
export const MODEL_ACTIONS: readonly string[] = [
  ...new Set(DESCRIBED_SIGNER_TOOLS.flatMap(({ needs }) => needs)),
].filter((action) => action !== PAYMENT);

export const SESSION_BUDGET = 5_000_000;
export const SESSION_BLOCKS = 100_000;
