import { isDeepStrictEqual } from 'node:util';
import type { LogOptions } from './error-log.ts';
import type { OnLive } from './roles.ts';
import type { Config } from './run-config.ts';

/**
 * Reads the file again at each SIGHUP. A signal before the service is live waits for it, and one at its end does
 * nothing: by default, the signal would end the process.
 */
export function reloadedBySignal<Options extends LogOptions>(
  config: Config<Options>,
  read: () => Promise<Config<Options>>,
): OnLive<Options> {
  let isMissed = false;
  let onSignal = (): void => {
    isMissed = true;
  };
  process.on('SIGHUP', () => onSignal());
  return ({ log, manager, apply }) => {
    let running = config.options;
    const reload = async (): Promise<void> => {
      manager.reloading();
      const error = await reloadOnce().catch((caught: unknown) => (caught as Error).message);
      if (error !== null) log.error(`SIGHUP: nothing has changed: ${error}`);
      // Report ready in any case. systemctl reload waits for it, and systemd has no message for a failed reload.
      manager.ready(
        error === null
          ? 'the configuration was read again'
          : `the configuration was not read again, nothing has changed: ${error}`,
      );
    };
    const reloadOnce = async (): Promise<string | null> => {
      const { role, of, options } = await read();
      if (role !== config.role)
        return `role: was "${config.role}", and only a restart can change it`;
      const live = new Set<string>(of.live);
      const isChanged = (name: string): boolean =>
        !isDeepStrictEqual(running[name as keyof Options], options[name as keyof Options]);
      const changed = Object.keys({ ...running, ...options }).filter(isChanged);
      const applied = changed.filter((name) => live.has(name));
      if (applied.some((name) => name !== 'logLevel')) await apply(options);
      const kept = Object.fromEntries(
        changed.map((name) => [name, running[name as keyof Options]]),
      );
      const now = Object.fromEntries(of.live.map((name) => [name, options[name as keyof Options]]));
      running = { ...options, ...kept, ...now };
      // Say it before the level changes if the new level would hide it.
      const isHeard = log.isLevelEnabled('info');
      if (!isHeard) log.level = options.logLevel;
      log.info({ applied }, 'SIGHUP: the configuration was read again');
      const waits = changed.filter((name) => !live.has(name));
      if (waits.length > 0) {
        const verb = waits.length === 1 ? 'waits' : 'wait';
        log.warn(
          `SIGHUP: ${waits.join(', ')} changed in ${config.path}, and ${verb} for the next start`,
        );
      }
      log.level = options.logLevel;
      return null;
    };
    // One reload after the other, because each may ask other nodes.
    let last = Promise.resolve();
    onSignal = () => {
      last = last.then(reload);
    };
    if (isMissed) onSignal();
    return () => {
      onSignal = () => {};
    };
  };
}
