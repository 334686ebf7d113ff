#!/usr/bin/env node
/**
 * Starts netd, on the repository's own Node if this one is too old. Plain JavaScript, so that any Node can
 * read it and report what is missing. Sets the compile cache before the first TypeScript file loads, which
 * saves a third of the start. The npm package has JavaScript in place of the sources (scripts/artefacts).
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The first version that runs TypeScript directly. An older one (`engines`) starts the pinned one. */
const NEEDED = [22, 18];
/** Set for the process that an older Node starts. */
const LAUNCHED = 'NET_LAUNCHED';
const SOURCE = new URL('../src/main.ts', import.meta.url);
const isInstalled = !existsSync(SOURCE);
/** One-shot commands that map a database file. A damaged one can crash the process, so they run in a child. */
const MAPS_DATABASE = [
  'backup',
  'promote',
  'recover',
  'replay',
  'restore',
  'trace',
  'upgrade',
  'verify',
].includes(process.argv[2]);
/** Signals of a process that maps a damaged file. Others come from elsewhere. */
const CRASHES = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV'];

// Treat an empty variable as unset. Otherwise keys would go into the working directory.
if (process.env.HOME === '') delete process.env.HOME;

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) startOnOwnNode();
else if (MAPS_DATABASE && process.env[LAUNCHED] === undefined) {
  launch(process.execPath, process.execArgv);
}
// Awaited: if the command never settles, Node ends with status 13 instead of 0.
else await start();

function start() {
  endWithLauncher();
  keepLoopbackDirect();
  // Inside the installation and with its rights, because cached code is executed. Worker threads and child
  // processes read the variable.
  if (process.env.NODE_COMPILE_CACHE === undefined) {
    process.env.NODE_COMPILE_CACHE = fileURLToPath(
      new URL('../node_modules/.cache/compiled', import.meta.url),
    );
  }
  nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  return import((isInstalled ? new URL('../../../lib/netd.mjs', import.meta.url) : SOURCE).href);
}

function startOnOwnNode() {
  const node = ownNode();
  if (node === null) {
    const remedy = isInstalled
      ? 'install that, for example from https://nodejs.org, and netd again with its npm'
      : 'install that, or run npm ci in the repository, which brings one';
    console.error(
      `netd: This is Node ${process.versions.node}, and netd needs ${NEEDED.join('.')} or newer: ${remedy}.`,
    );
    process.exitCode = 1;
    return;
  }
  launch(node, []);
}

/** Runs the command in a child, and ends as that does. */
function launch(node, options) {
  const child = spawn(
    node,
    [...options, fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    {
      env: { ...process.env, [LAUNCHED]: '1' },
      // The channel closes when this process ends, however it ends.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  );
  // Ctrl-C reaches both; a second one would stop a node at once.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  let hasEnded = false;
  child.once('message', () => (hasEnded = true));
  // Not `exit`, which can precede the message.
  child.on('close', (code, signal) => {
    process.exitCode = signal === null ? code : 128 + constants.signals[signal];
    if (CRASHES.includes(signal)) {
      fail(
        `reading a database file ended the process (${signal}), so the file is damaged. Put chain/ back from a backup (netd restore), or get its blocks from followers (netd recover). If this read a backup, use another one`,
        'DATABASE_DAMAGED',
      );
    } else if (MAPS_DATABASE && (signal === 'SIGKILL' || (code === 0 && !hasEnded))) {
      fail(
        `netd ${process.argv[2]} ended without a result (${signal ?? `code ${code}`}): run it again`,
        'UNFINISHED',
      );
    }
  });
}

function fail(title, code) {
  if (process.exitCode === 0 || code === 'DATABASE_DAMAGED') process.exitCode = 1;
  if (process.argv.includes('--json')) console.log(JSON.stringify({ title, code }, null, 2));
  else console.error(`netd: ${title}.`);
}

/** Stops this process in order once the launcher is gone, because the launcher cannot forward SIGKILL. */
function endWithLauncher() {
  const isLaunched = process.env[LAUNCHED] !== undefined;
  delete process.env[LAUNCHED];
  if (!isLaunched || !process.connected) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel must not keep the process alive.
  process.channel.unref();
}

/** Keeps requests to this machine off proxies (NODE_USE_ENV_PROXY). */
function keepLoopbackDirect() {
  const name = process.env.no_proxy === undefined ? 'NO_PROXY' : 'no_proxy';
  const hosts = process.env[name] || undefined;
  if (hosts !== '*')
    process.env[name] = [hosts, 'localhost', '127.0.0.1'].filter(Boolean).join(',');
}

/** Returns the nearest binary of the npm package `node`; null if there is none. */
function ownNode() {
  let directory = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const program = join(directory, 'node_modules', 'node', 'bin', 'node');
    if (existsSync(program)) return program;
    if (dirname(directory) === directory) return null;
    directory = dirname(directory);
  }
}
