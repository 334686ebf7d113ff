/**
 * What systemd is told of a service of type notify (sd_notify(3)): that it is ready, reads its configuration again, stops, and is
 * alive. Node has no sockets for it, so the program systemd-notify says it, which is where systemd is; the unit allows that
 * with NotifyAccess=all. Decision 029.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

const PROGRAM = 'systemd-notify';
const PROGRAM_MILLISECONDS = 10_000;

export interface ServiceManager {
  /** @param status a sentence for `systemctl status`; on one line there, since each line is a word of its own to systemd */
  ready: (status: string) => void;
  /** Says that the configuration is read again; call `ready` when that is done. */
  reloading: () => void;
  stopping: () => void;
}

const NONE: ServiceManager = { ready: () => {}, reloading: () => {}, stopping: () => {} };

/** The service manager that watches this process; does nothing where none asked for notifications. */
export function serviceManager(log: Logger): ServiceManager {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: microseconds, WATCHDOG_PID: pid } = process.env;
  if (socket === undefined || socket === '') return NONE;
  // Processes that this one starts are no services of their own.
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete process.env[name];
  const tell = teller(socket, log);
  const isWatched = pid === undefined || [process.pid, process.ppid].includes(Number(pid));
  const period = isWatched ? Math.floor(Number(microseconds ?? 0) / 1_000 / 2) : 0;
  let watchdog: ReturnType<typeof setInterval> | null = null;
  return {
    ready: (status) => {
      tell('READY=1', `STATUS=${status.replaceAll(/\s+/g, ' ')}`);
      // A timer that fires says what is asked: the loop that answers requests goes round.
      if (period > 0) watchdog ??= setInterval(() => tell('WATCHDOG=1'), period).unref();
    },
    // The time by which a manager tells this from what was sent before (since systemd 253).
    reloading: () =>
      tell('RELOADING=1', `MONOTONIC_USEC=${String(process.hrtime.bigint() / 1_000n)}`),
    stopping: () => {
      if (watchdog !== null) clearInterval(watchdog);
      tell('STOPPING=1');
    },
  };
}

/** Tells one after the other; the log says once where nothing can be told. */
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
