import { NETD } from './command-table.ts';
import { start } from './start.ts';

await start(NETD);
