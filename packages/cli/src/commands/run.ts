import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { VERSION } from '@netd/protocol/version';
import { isDeepStrictEqual } from 'node:util';
import { readGenesis } from '@netd/node';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { CommandError } from '../command-error.ts';
import { answer } from '../output.ts';
import { readConfig } from '../run-config.ts';
import type { Terminal } from '../terminal.ts';
import { type DevOptions, run } from './dev.ts';

interface RunOptions {
  config: string;
  checkConfig?: boolean;
  json?: boolean;
}

export function configure(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--config <file>', 'a JSON object: the options of netd dev in camel case')
    .option(
      '--check-config',
      'say whether the file is valid and the chain there, and start nothing',
    )
    .option('--json', 'with --check-config, print what holds as JSON; else the facts of dev.json')
    .action((options: RunOptions) => runByFile(options, terminal));
}

async function runByFile(options: RunOptions, terminal: Terminal): Promise<void> {
  const file = resolve(options.config);
  const config = readConfig(file);
  requireChain(config.dataDir);
  if (options.checkConfig === true) {
    const text = `${file} is valid; ${config.dataDir} holds a chain. What holds:`;
    answer(terminal, options, config, () => `${text}\n${JSON.stringify(config, null, 2)}`);
    return;
  }
  await run(
    { ...config, ...(options.json === true ? { json: true } : {}) },
    {
      greeting: ({ node, url, publicUrl, metricsUrl }) =>
        `netd ${VERSION}  ${node.chain.identity.chainId} at height ${node.chain.height}, ${publicUrl} (${url})${metricsUrl === null ? '' : `, metrics ${metricsUrl}`}`,
      onStart: (log, manager) => {
        const reload = (): void => {
          manager.reloading();
          const error = reloadConfig(file, config, log);
          // Report ready in any case. systemctl reload waits for it, and systemd has no message for a failed
          // reload.
          manager.ready(
            error === null
              ? 'the configuration was read again'
              : `the configuration was not read again, nothing has changed: ${error}`,
          );
        };
        process.on('SIGHUP', reload);
        return () => process.off('SIGHUP', reload);
      },
    },
  );
}

/** Prevents a wrong path from starting a new chain. */
function requireChain(dataDir: string): void {
  const path = join(dataDir, 'genesis.json');
  const genesis = existsSync(path) ? readGenesis(path) : null;
  if (!genesis) {
    throw new CommandError(
      `there is no chain in ${dataDir}: begin one with netd genesis new --data-dir ${dataDir}, or put the right dataDir into the file`,
      'CONFIG_INVALID',
      'usage',
    );
  }
  if (genesis.open || genesis.laboratory === true) {
    throw new CommandError(
      `${dataDir} holds a ${genesis.open ? 'chain in open mode' : 'laboratory'}, which is for one machine: go on with netd dev`,
      'CONFIG_INVALID',
      'usage',
    );
  }
}

/**
 * Applies settings that can change at run time, and logs the others.
 * @returns why nothing was applied; null on success
 */
function reloadConfig(file: string, running: DevOptions, log: Logger): string | null {
  let config: DevOptions;
  try {
    config = readConfig(file);
  } catch (error) {
    const { message } = error as Error;
    log.error(`SIGHUP: nothing has changed: ${message}`);
    return message;
  }
  const waits = Object.keys({ ...running, ...config }).filter(
    (name) =>
      name !== 'logLevel' &&
      !isDeepStrictEqual(running[name as keyof DevOptions], config[name as keyof DevOptions]),
  );
  log.level = config.logLevel;
  log.info({ logLevel: config.logLevel }, 'SIGHUP: the configuration was read again');
  if (waits.length > 0) {
    log.warn(`SIGHUP: ${waits.join(', ')} changed in ${file}, and holds from the next start on`);
  }
  return null;
}
