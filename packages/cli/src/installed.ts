/** True in an installed npm package, false in the repository. */
import { existsSync } from 'node:fs';

export const IS_INSTALLED = !existsSync(new URL(import.meta.url));

export const START_LINE = IS_INSTALLED ? 'netd dev' : 'npm start';
