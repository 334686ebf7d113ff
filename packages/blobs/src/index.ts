export { BLOB_ERROR_TABLE } from './errors.ts';
export { failpointFromEnvironment } from './failpoints.ts';
export { DEFAULT_LIMITS, type BlobLimits } from './limits.ts';
export * from './serve.ts';
export type { BucketOptions } from './storage/bucket.ts';
