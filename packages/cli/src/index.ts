export { buildProgram } from './build-program.ts';
export type { CommandTable, Program } from './command-entry.ts';
export { NETD } from './command-table.ts';
export { EXIT_CODES } from './exit-codes.ts';
export { NET_FOLLOWER } from './follower-table.ts';
export { processTerminal } from './terminal.ts';
