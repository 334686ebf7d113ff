/** True in an npm package built from the sources. */
import { existsSync } from 'node:fs';

export const IS_INSTALLED = !existsSync(new URL(import.meta.url));

/** The command that starts a node here. */
export const START_LINE = IS_INSTALLED ? 'netd dev' : 'npm start';
