import { fileURLToPath } from 'node:url';

/** The repository, with a trailing separator. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
