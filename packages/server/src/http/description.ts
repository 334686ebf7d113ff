/**
 * The OpenAPI description, from the file that `npm run contract` generates: to generate it takes a second of
 * the main thread. `npm run contract -- --check` proves that the file is current.
 */
import { readFileSync } from 'node:fs';
import type { JsonObject } from '@netd/protocol';

const FILE = new URL('../../../../contract/openapi.json', import.meta.url);

/** Not cached: it is large and rarely requested. */
export function readDescription(): JsonObject {
  return JSON.parse(readFileSync(FILE, 'utf8')) as JsonObject;
}
