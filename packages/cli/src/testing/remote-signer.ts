/** CometBFT's own `priv_val_server`, a signer process that connects to a node and signs with its key. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { COMETBFT } from '@netd/engine/cometbft-binary';

const run = promisify(execFile);

/**
 * Builds the signer from the engine's module in Go's cache. Returns null and skips the test if the build
 * fails.
 */
export async function signerProgram(t: TestContext, home: string): Promise<string | null> {
  if (process.platform !== 'linux') {
    t.skip('it looks into /proc');
    return null;
  }
  const program = join(home, 'priv_val_server');
  try {
    const what = `${COMETBFT.module}@${COMETBFT.version}`;
    const { stdout } = await run('go', ['mod', 'download', '-json', what]);
    const { Dir } = JSON.parse(stdout) as { Dir: string };
    await run('go', ['-C', Dir, 'build', '-o', program, './cmd/priv_val_server'], {
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    return program;
  } catch (error) {
    t.skip(`there is no signer: ${(error as Error).message}`);
    return null;
  }
}

/** True if a local process listens on the port. Asks the kernel: CometBFT takes the first connection for its signer. */
const isListening = (port: number): boolean => {
  const place = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;
  return readFileSync('/proc/net/tcp', 'utf8').includes(place);
};

/** Starts a signer once the node listens for it. */
export async function startSigner(
  program: string,
  { port, chainId, key, record }: Record<'chainId' | 'key' | 'record', string> & { port: number },
): Promise<ChildProcess> {
  while (!isListening(port)) await new Promise((resolve) => setTimeout(resolve, 20));
  const address = `tcp://127.0.0.1:${port}`;
  const files = ['-priv-key', key, '-priv-state', record];
  return spawn(program, ['-addr', address, '-chain-id', chainId, ...files], { stdio: 'ignore' });
}

/** Key and record of a validator, moved out of its data directory. One signer at a time uses them. */
export class MovedSigner {
  readonly flags: readonly string[];
  private readonly program: string;
  private readonly parts: Parameters<typeof startSigner>[1];
  private child: ChildProcess | null = null;

  private constructor(program: string, parts: Parameters<typeof startSigner>[1]) {
    this.program = program;
    this.parts = parts;
    this.flags = ['--remote-signer', `127.0.0.1:${parts.port}`];
  }

  /** Moves them to a new directory. The validator must be stopped. */
  static move(program: string, { dataDir, vault, chainId, port }: Moved): MovedSigner {
    mkdirSync(vault);
    const home = join(dataDir, 'cometbft');
    const [key, record] = [join(vault, 'key.json'), join(vault, 'state.json')];
    copyFileSync(join(home, 'config/priv_validator_key.json'), key);
    copyFileSync(join(home, 'data/priv_validator_state.json'), record);
    renameSync(join(dataDir, 'keys/validator.json'), join(vault, 'validator.json'));
    return new MovedSigner(program, { port, chainId, key, record });
  }

  /** Starts the signer once a node listens for it, and replaces an earlier one. */
  async sign(): Promise<void> {
    this.stop();
    this.child = await startSigner(this.program, this.parts);
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }
}

interface Moved {
  dataDir: string;
  /** A directory that does not exist yet. */
  vault: string;
  chainId: string;
  port: number;
}
