/** CometBFT's own `priv_val_server`, a signer process that connects to a node and signs with its key. */
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { buildOfCometbft } from './cometbft-build.ts';

/**
 * Builds the signer from the engine's module in Go's cache. Returns null and skips the test if the build
 * fails.
 */
export async function signerProgram(t: TestContext, home: string): Promise<string | null> {
  if (process.platform !== 'linux') {
    t.skip('it looks into /proc');
    return null;
  }
  return buildOfCometbft(t, { home, program: 'priv_val_server' });
}

/** True if a local process listens on the port. Asks the kernel: CometBFT takes the first connection for its signer. */
const isListening = (port: number): boolean => {
  const place = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;
  return readFileSync('/proc/net/tcp', 'utf8').includes(place);
};

interface Parts {
  port: number;
  chainId: string;
  key: string;
  record: string;
}

/**
 * Starts a signer once the node listens for it.
 * @param node start of the node, or its end (`lost`): if it rejects, so does this
 */
export async function startSigner(
  program: string,
  parts: Parts,
  node: Promise<unknown>,
): Promise<ChildProcess> {
  await untilListening(parts.port, { node });
  return spawnSigner(program, parts);
}

async function untilListening(
  port: number,
  { node, isWanted = () => true }: { node: Promise<unknown>; isWanted?: () => boolean },
): Promise<void> {
  let isLost = false;
  node.catch(() => (isLost = true));
  while (isWanted() && !isListening(port)) {
    if (isLost) await node;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function spawnSigner(program: string, { port, chainId, key, record }: Parts): ChildProcess {
  const address = `tcp://127.0.0.1:${port}`;
  const files = ['-priv-key', key, '-priv-state', record];
  return spawn(program, ['-addr', address, '-chain-id', chainId, ...files], { stdio: 'ignore' });
}

/** Key and record of a validator, moved out of its data directory. One signer at a time uses them. */
export class MovedSigner {
  readonly flags: readonly string[];
  private readonly program: string;
  private readonly parts: Parts;
  private child: ChildProcess | null = null;
  /** Counts calls of `sign` and `stop`, so that an earlier one that still waits does nothing. */
  private turn = 0;

  private constructor(program: string, parts: Parts) {
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

  /**
   * Starts the signer once a node listens for it, and replaces an earlier one. It neither ends nor connects again when
   * it loses the node: call this again then.
   * @param node start of the node, or its end (`lost`): if it rejects, so does this; default: waits until `stop`
   */
  async sign(node: Promise<unknown> = new Promise(() => {})): Promise<void> {
    this.stop();
    const { turn } = this;
    const isWanted = (): boolean => turn === this.turn;
    await untilListening(this.parts.port, { node, isWanted });
    if (isWanted()) this.child = spawnSigner(this.program, this.parts);
  }

  stop(): void {
    this.turn += 1;
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
