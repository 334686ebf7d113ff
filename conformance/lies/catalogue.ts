/** Every lie by topic. Add any lie that no check notices. */
import { CHAIN_LIES } from './about-the-chain.ts';
import { DOCUMENT_LIES } from './about-documents.ts';
import { SERVICE_LIES } from './about-the-service.ts';
import { SINGLE_RECORD_LIES } from './about-single-records.ts';
import type { Lie } from './lie.ts';

export const LIES: readonly Lie[] = [
  ...CHAIN_LIES,
  ...DOCUMENT_LIES,
  ...SINGLE_RECORD_LIES,
  ...SERVICE_LIES,
];
