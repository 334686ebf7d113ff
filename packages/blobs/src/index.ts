export { failpointFromEnvironment } from './failpoints.ts';
export { DEFAULT_LIMITS, type BlobLimits } from './limits.ts';
export * from './serve.ts';
export type { BucketOptions } from './storage/bucket.ts';
