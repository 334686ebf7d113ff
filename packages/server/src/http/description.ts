/**
 * The OpenAPI description, from the file that `npm run contract` makes out of the schemas of the routes: making it takes a
 * second of the main thread. That the file is fresh is proved by `npm run contract -- --check`.
 */
import { readFileSync } from 'node:fs';
import type { JsonObject } from '@netd/protocol';

const FILE = new URL('../../../../contract/openapi.json', import.meta.url);

/** Read when it is asked for, and not kept: it is large, and few ask twice. */
export function readDescription(): JsonObject {
  return JSON.parse(readFileSync(FILE, 'utf8')) as JsonObject;
}
