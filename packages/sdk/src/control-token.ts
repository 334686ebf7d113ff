/**
 * Finds a node's secret for laboratory calls, unsigned writes, and intents signed for other actors of a
 * laboratory: given by the caller, left by a local node in `~/.netd/control/<port>`, or in
 * `NET_CONTROL_TOKEN` for the node of `NET_URL`.
 */
import { CONTROL_HEADER, type JsonObject } from '@netd/protocol';
import { defaultUrl, isLoopbackUrl } from './http.ts';

/** Paths that always need it. Other requests carry it only after a refusal with CONTROL_TOKEN_REQUIRED. */
const CONTROLLED = /^\/v1\/(lab\/|(work-orders|memory\/(checkpoints|handovers))$)/;

/** The required parts of Node; absent in browsers. */
interface Host {
  env?: Record<string, string | undefined>;
  getBuiltinModule?: (name: string) => unknown;
}

/**
 * Returns the headers of a POST. Sends a secret that the caller has not given to loopback addresses only.
 * @param given the node's secret, if known
 */
export function controlHeaders(
  url: string,
  { path, body, given }: { path: string; body: JsonObject; given?: string | undefined },
): Record<string, string> {
  return CONTROLLED.test(path) && !Object.hasOwn(body, 'signature')
    ? controlHeader(url, given)
    : {};
}

/** Returns the header with the secret; empty if it is unknown. */
export function controlHeader(url: string, given?: string): Record<string, string> {
  const token = given ?? tokenOnThisMachine(url);
  return token === undefined ? {} : { [CONTROL_HEADER]: token };
}

function tokenOnThisMachine(url: string): string | undefined {
  if (!isLoopbackUrl(url)) return undefined;
  const { port } = new URL(url);
  const { process } = globalThis as { process?: Host };
  try {
    // Not an import, because pages load this file too.
    const os = process?.getBuiltinModule?.('node:os') as typeof import('node:os');
    const fs = process?.getBuiltinModule?.('node:fs') as typeof import('node:fs');
    const home = os.homedir() || os.userInfo().homedir;
    return fs.readFileSync(`${home}/.netd/control/${port || '80'}`, 'utf8').trim();
  } catch {
    // Other programs may listen on this machine, so send the variable to the node of NET_URL only.
    const isNamed =
      URL.canParse(defaultUrl()) && new URL(defaultUrl()).origin === new URL(url).origin;
    return (isNamed && process?.env?.['NET_CONTROL_TOKEN']) || undefined;
  }
}
