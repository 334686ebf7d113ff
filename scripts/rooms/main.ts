/** Checks the imports of all packages against rooms.ts, as part of `npm run lint`. */
import { fileURLToPath } from 'node:url';
import { allImports } from './imports.ts';
import { roomFaults } from './rooms.ts';

const faults = roomFaults(allImports(fileURLToPath(new URL('../../', import.meta.url))));
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`${faults.length} imports are not allowed: see PACKAGES in scripts/rooms/rooms.ts`);
  process.exitCode = 1;
}
