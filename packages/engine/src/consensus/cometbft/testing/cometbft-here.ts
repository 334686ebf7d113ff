/** The CometBFT of this machine, for tests with a real one. */
import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { COMETBFT, cometbftPath, defaultEngineDir, requireCometbft } from '../cometbft-binary.ts';

/** Its path; the test is skipped with a sentence where there is none. */
export async function cometbftHere(t: TestContext): Promise<string | null> {
  const path = cometbftPath(defaultEngineDir());
  try {
    await requireCometbft(path);
    return path;
  } catch {
    t.skip(`there is no CometBFT ${COMETBFT.version} here: run npx netd engine install, with Go`);
    return null;
  }
}

/** Ports of loopback that are free now: CometBFT cannot be asked for the one that it was given. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
        }),
    ),
  );
  await Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
  return ports;
}
