/** Takes the lock of a state directory, says so or the code of the refusal, and keeps it: with `socket` as a Node does that brings no SQLite. */
import { register } from 'node:module';
import { takeStateLock } from '../state-lock.ts';

const [path = '', way] = process.argv.slice(2);
if (way === 'socket') {
  const hook = `export const resolve = (name, context, next) => {
    if (name === 'node:sqlite') throw new Error('not in this Node');
    return next(name, context);
  };`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
try {
  await takeStateLock(path);
  console.log('locked');
  setInterval(() => {}, 60_000);
} catch (error) {
  console.log((error as { code?: string }).code);
}
