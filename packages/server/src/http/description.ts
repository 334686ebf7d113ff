/** The OpenAPI description. `npm run contract` generates it, because that takes a second. */
import { readFileSync } from 'node:fs';
import type { JsonObject } from '@netd/protocol';

const FILE = new URL('../../../../contract/openapi.json', import.meta.url);

/** Not cached, because it is large and rarely requested. */
export function readDescription(): JsonObject {
  return JSON.parse(readFileSync(FILE, 'utf8')) as JsonObject;
}
