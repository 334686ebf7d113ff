/**
 * Notifies systemd (sd_notify(3)) by the program systemd-notify, because Node lacks such sockets. The unit
 * needs NotifyAccess=all (decision 029).
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

const PROGRAM = 'systemd-notify';
const PROGRAM_MILLISECONDS = 10_000;

export interface ServiceManager {
  ready: (status: string) => void;
  /** Reports a reload. Call `ready` when it is done. */
  reloading: () => void;
  stopping: () => void;
}

const NONE: ServiceManager = { ready: () => {}, reloading: () => {}, stopping: () => {} };

export function serviceManager(log: Logger): ServiceManager {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID: pid } = process.env;
  if (socket === undefined || socket === '') return NONE;
  // Child processes must not notify systemd themselves.
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete process.env[name];
  const tell = teller(socket, log);
  const isWatched = pid === undefined || [process.pid, process.ppid].includes(Number(pid));
  const period = isWatched ? Math.floor(Number(microseconds ?? 0) / 1_000 / 2) : 0;
  let watchdog: ReturnType<typeof setInterval> | null = null;
  return {
    ready: (status) => {
      tell('READY=1', `STATUS=${status.replaceAll(/\s+/g, ' ')}`);
      // A timer that fires proves that the event loop runs.
      if (period > 0) watchdog ??= setInterval(() => tell('WATCHDOG=1'), period).unref();
    },
    // The time distinguishes this reload from earlier messages (since systemd 253).
    reloading: () =>
      tell('RELOADING=1', `MONOTONIC_USEC=${String(process.hrtime.bigint() / 1_000n)}`),
    stopping: () => {
      if (watchdog !== null) clearInterval(watchdog);
      tell('STOPPING=1');
    },
  };
}

function teller(socket: string, log: Logger): (...lines: string[]) => void {
  let last = Promise.resolve();
  let hasFailed = false;
  const run = (lines: string[]): Promise<void> =>
    new Promise((resolve) => {
      const options = {
        env: { ...process.env, NOTIFY_SOCKET: socket },
        timeout: PROGRAM_MILLISECONDS,
      };
      execFile(PROGRAM, lines, options, (error) => {
        if (error && !hasFailed) {
          hasFailed = true;
          log.warn(
            { err: error },
            `systemd cannot be told how this service is: install ${PROGRAM}, or use Type=exec without WatchdogSec`,
          );
        }
        resolve();
      });
    });
  return (...lines) => {
    last = last.then(() => run(lines));
  };
}
