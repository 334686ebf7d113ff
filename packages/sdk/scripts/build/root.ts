import { fileURLToPath } from 'node:url';

/** The repository, with a separator at its end. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
