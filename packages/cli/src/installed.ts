/** Whether this runs as a package of npm, built from the sources, or from the sources themselves. */
import { existsSync } from 'node:fs';

export const IS_INSTALLED = !existsSync(new URL(import.meta.url));

/** What starts a node here. */
export const START_LINE = IS_INSTALLED ? 'netd dev' : 'npm start';
