import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** `sum` as in go.sum. */
export const COMETBFT = {
  module: 'github.com/cometbft/cometbft',
  version: 'v0.38.25',
  sum: 'h1:jtGSyssudmkjED2fk9wFGfd/fNyPKvLIinW62ELxZH4=',
};

const LIMITS = { ask: 30_000, download: 600_000, build: 1_800_000 };
const OUTPUT_LIMIT = 16 * 1024 * 1024;

export type EngineBinaryProblem =
  'GO_MISSING' | 'ENGINE_CHECKSUM' | 'ENGINE_BUILD_FAILED' | 'ENGINE_UNUSABLE' | 'ENGINE_VERSION';

export class EngineBinaryError extends Error {
  override name = 'EngineBinaryError';
  readonly code: EngineBinaryProblem;

  constructor(code: EngineBinaryProblem, message: string) {
    super(message);
    this.code = code;
  }
}

export function defaultEngineDir(): string {
  return process.env['NET_ENGINE_DIR'] || join(homedir(), '.netd', 'engines');
}

export function cometbftPath(engineDir: string): string {
  return join(engineDir, `cometbft-${COMETBFT.version}`, 'cometbft');
}

export async function requireCometbft(path: string): Promise<void> {
  let version;
  try {
    version = (await run(path, ['version'], { timeout: LIMITS.ask })).stdout.trim();
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : 'does not run';
    throw new EngineBinaryError(
      'ENGINE_UNUSABLE',
      `the CometBFT binary ${path} ${reason}: run netd engine install, or name another one with --binary`,
    );
  }
  // Builds may add a suffix after a plus sign; some begin with a v.
  if (version.replace(/^v/, '').split('+')[0] === COMETBFT.version.slice(1)) return;
  throw new EngineBinaryError(
    'ENGINE_VERSION',
    `${path} is CometBFT ${version.slice(0, 64)}, and netd works with ${COMETBFT.version} only: run netd engine install to build that`,
  );
}

export interface InstallOptions {
  engineDir: string;
  /** Path of a binary to install instead of building one. */
  binary?: string;
  onStep?: (sentence: string) => void;
  go?: string;
  signal?: AbortSignal;
}

/**
 * Installs CometBFT. Keeps an existing binary that runs, unless `binary` is given.
 * @throws EngineBinaryError
 */
export async function installCometbft(
  options: InstallOptions,
): Promise<{ path: string; kept: boolean }> {
  const { engineDir, binary } = options;
  const path = cometbftPath(engineDir);
  if (binary === undefined && (await isUsable(path))) return { path, kept: true };
  await mkdir(engineDir, { recursive: true });
  const draft = await mkdtemp(join(engineDir, 'draft-'));
  try {
    const made = join(draft, 'cometbft');
    if (binary === undefined) await build(draft, options);
    else await copyNamed(binary, made);
    await requireCometbft(made);
    await mkdir(join(path, '..'), { recursive: true });
    await rename(made, path);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { path, kept: false };
}

async function isUsable(path: string): Promise<boolean> {
  try {
    await requireCometbft(path);
    return true;
  } catch {
    return false;
  }
}

async function copyNamed(binary: string, to: string): Promise<void> {
  await requireCometbft(binary);
  await copyFile(binary, to);
  await chmod(to, 0o755);
}

async function build(into: string, options: InstallOptions): Promise<void> {
  const { go = 'go', onStep = () => {}, signal } = options;
  const { module, version, sum } = COMETBFT;
  const environment = { ...process.env, GOBIN: into, CGO_ENABLED: '0' };
  const call = async (args: string[], timeout: number): Promise<string> => {
    const { stdout } = await run(go, args, {
      timeout,
      cwd: into,
      env: environment,
      maxBuffer: OUTPUT_LIMIT,
      ...(signal && { signal }),
    });
    return stdout;
  };
  try {
    onStep(`downloading CometBFT ${version}`);
    const downloaded = await call(
      ['mod', 'download', '-json', `${module}@${version}`],
      LIMITS.download,
    );
    requireSum((JSON.parse(downloaded) as { Sum?: unknown }).Sum, sum);
    onStep('building it with Go, which takes a few minutes');
    await call(['install', `${module}/cmd/cometbft@${version}`], LIMITS.build);
  } catch (error) {
    throw error instanceof EngineBinaryError ? error : buildError(error, go);
  }
}

function requireSum(downloaded: unknown, sum: string): void {
  if (downloaded === sum) return;
  throw new EngineBinaryError(
    'ENGINE_CHECKSUM',
    `the module that Go downloaded has the checksum ${String(downloaded)}, not ${sum}: nothing was built; look at GOPROXY and at the module cache`,
  );
}

function buildError(error: unknown, go: string): EngineBinaryError {
  const { code, stderr, message } = error as {
    code?: unknown;
    stderr?: string;
    message: string;
  };
  if (code === 'ENOENT') {
    return new EngineBinaryError(
      'GO_MISSING',
      `building CometBFT needs Go 1.22 or newer, and there is no ${go} here: install it from https://go.dev/dl, or name a binary of CometBFT ${COMETBFT.version} with --binary`,
    );
  }
  const last = (stderr ?? '').trim().split('\n').slice(-3).join(' / ');
  return new EngineBinaryError(
    'ENGINE_BUILD_FAILED',
    `Go could not build CometBFT ${COMETBFT.version}: ${last || message}`,
  );
}
