/** The command `net-follower`: a follower and nothing else. scripts/artefacts makes a package of it. */
import { NET_FOLLOWER } from './follower-table.ts';
import { start } from './start.ts';

await start(NET_FOLLOWER);
