/**
 * Preloaded by tests: replaces the work of commands by work that fails in the way that NET_TEST_FAILURE names.
 *
 * - `hang`: it never settles, and nothing is left that could settle it
 * - `late`: it never settles, and an error comes up outside of it
 * - `lost`: a child process ends at once with status 0
 * - `crash`: a child process crashes, as one does that maps a damaged file
 */
import { registerHooks } from 'node:module';

const failure = process.env.NET_TEST_FAILURE;
if (failure === 'lost' && process.send) process.exit(0);
if (failure === 'crash' && process.send) process.kill(process.pid, 'SIGSEGV');

/** The names that the commands import, by entry point. */
const WORK = {
  '@netd/node': ['backup', 'noteDone', 'restore', 'promote', 'recover', 'recoverValidator'],
  '@netd/node/verify': [
    'verifyDataDir',
    'verifyUrl',
    'traceDataDir',
    'replayDataDir',
    'traceReport',
  ],
  '@netd/engine': ['Store', 'STORE_FORMAT', 'isPrepared', 'wayOf', 'loadSignatureCheck'],
};
const IMPORTERS = /\/cli\/src\/(commands\/[a-z-]+|(doctor|upgrade)\/database|with-replay)\.ts$/;

globalThis.brokenWork = () => {
  if (failure === 'late') {
    setTimeout(() => {
      throw new Error('late');
    }, 1);
  }
  return new Promise(() => {});
};
globalThis.brokenWork.open = globalThis.brokenWork.describe = globalThis.brokenWork;
if (failure === 'hang' || failure === 'late') {
  globalThis.fetch = globalThis.brokenWork;
  registerHooks({
    resolve(specifier, context, next) {
      const names = Object.hasOwn(WORK, specifier) ? WORK[specifier] : null;
      if (names === null || !IMPORTERS.test(context.parentURL ?? '')) {
        return next(specifier, context);
      }
      const source = names.map((name) => `export const ${name} = brokenWork;`).join('\n');
      return { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true };
    },
  });
}
