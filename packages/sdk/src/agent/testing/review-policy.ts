/** How the orders of tests are judged: as by default, and nothing is left to chance. */
import { DEFAULT_VALIDATION_POLICY } from '@netd/ledger';

export const REVIEW_POLICY = { ...DEFAULT_VALIDATION_POLICY, sampleRateBps: 0 };
