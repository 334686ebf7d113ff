/**
 * A node's secret for laboratory calls, unsigned writes, and intents for other actors of a laboratory. It
 * comes from the caller, from `~/.netd/control/<port>`, or from `NET_CONTROL_TOKEN` for the node of
 * `NET_URL`.
 */
import { CONTROL_HEADER, type JsonObject } from '@netd/protocol';
import { defaultUrl, isLoopbackUrl } from './http.ts';

/** Paths that need the secret. Others carry it only after a refusal with CONTROL_TOKEN_REQUIRED. */
const CONTROLLED = /^\/v1\/(lab\/|(work-orders|memory\/(checkpoints|handovers))$)/;

interface Host {
  env?: Record<string, string | undefined>;
  getBuiltinModule?: (name: string) => unknown;
}

/** Sends a found secret to loopback addresses only. */
export function controlHeaders(
  url: string,
  { path, body, given }: { path: string; body: JsonObject; given?: string | undefined },
): Record<string, string> {
  return CONTROLLED.test(path) && !Object.hasOwn(body, 'signature')
    ? controlHeader(url, given)
    : {};
}

export function controlHeader(url: string, given?: string): Record<string, string> {
  const token = given ?? tokenOnThisMachine(url);
  return token === undefined ? {} : { [CONTROL_HEADER]: token };
}

function tokenOnThisMachine(url: string): string | undefined {
  if (!isLoopbackUrl(url)) return undefined;
  const { port } = new URL(url);
  const { process } = globalThis as { process?: Host };
  try {
    // Load these only now, because pages load this file too.
    const os = process?.getBuiltinModule?.('node:os') as typeof import('node:os');
    const fs = process?.getBuiltinModule?.('node:fs') as typeof import('node:fs');
    const home = os.homedir() || os.userInfo().homedir;
    return fs.readFileSync(`${home}/.netd/control/${port || '80'}`, 'utf8').trim();
  } catch {
    const isNamed =
      URL.canParse(defaultUrl()) && new URL(defaultUrl()).origin === new URL(url).origin;
    return (isNamed && process?.env?.['NET_CONTROL_TOKEN']) || undefined;
  }
}
