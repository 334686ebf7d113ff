/** For tests: starts a child that would live for a minute, and then hangs, ends, or says the child's process id. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { endGroupWithStarter } from '../process-group.ts';

endGroupWithStarter();
const [pidFile = '', then = ''] = process.argv.slice(2);
const { pid = 0 } = spawn('sleep', ['60'], { stdio: 'ignore' });
writeFileSync(pidFile, String(pid));
if (then === 'answer') process.send?.({ pid });
if (then === 'end') process.exit(3);
