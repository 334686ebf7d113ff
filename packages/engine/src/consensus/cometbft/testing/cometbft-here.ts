/** The CometBFT of this machine, for tests with a real one. */
import { createServer, type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { COMETBFT, cometbftPath, defaultEngineDir, requireCometbft } from '../cometbft-binary.ts';

/** Returns the path of CometBFT; null, and skips the test, if there is none. */
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

/** Returns free ports of loopback. CometBFT cannot report a port that the system chose for it. */
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
