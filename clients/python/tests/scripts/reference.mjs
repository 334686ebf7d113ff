/** The public names of this SDK as JSON, as the documentation describes them. */
import { fileURLToPath } from 'node:url';
import { pythonReference } from '../../../../scripts/python-reference.mjs';

console.log(JSON.stringify(pythonReference(fileURLToPath(new URL('../../src/', import.meta.url)))));
