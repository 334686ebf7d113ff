/** The program `net-follower`, which scripts/artefacts bundles. */
import { NET_FOLLOWER } from './follower-table.ts';
import { start } from './start.ts';

await start(NET_FOLLOWER);
