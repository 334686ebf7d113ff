/**
 * Finds the secret that a node wants for laboratory calls, unsigned writes and intents signed for any actor of a laboratory: the one
 * that the caller gives, the one that a node on this machine left for its user in `~/.netd/control/<port>`, or `NET_CONTROL_TOKEN`
 * for the node of `NET_URL`.
 */
import { CONTROL_HEADER, type JsonObject } from '@netd/protocol';
import { defaultUrl } from './http.ts';

/** Paths that ask for it at once. Other requests carry it only after a refusal with CONTROL_TOKEN_REQUIRED. */
const CONTROLLED = /^\/v1\/(lab\/|(work-orders|memory\/(checkpoints|handovers))$)/;
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** The part of Node that this needs; absent in browsers. */
interface Host {
  env?: Record<string, string | undefined>;
  getBuiltinModule?: (name: string) => unknown;
}

/**
 * Returns the headers of a POST. A secret that the caller has not given goes to loopback addresses only.
 * @param given the secret of the node, if the caller knows it
 */
export function controlHeaders(
  url: string,
  { path, body, given }: { path: string; body: JsonObject; given?: string | undefined },
): Record<string, string> {
  return CONTROLLED.test(path) && !Object.hasOwn(body, 'signature')
    ? controlHeader(url, given)
    : {};
}

/** Returns the header with the secret, or none if the node's secret is not known here. */
export function controlHeader(url: string, given?: string): Record<string, string> {
  const token = given ?? tokenOnThisMachine(url);
  return token === undefined ? {} : { [CONTROL_HEADER]: token };
}

function tokenOnThisMachine(url: string): string | undefined {
  const { hostname, port } = new URL(url);
  const { process } = globalThis as { process?: Host };
  if (!LOOPBACK.test(hostname)) return undefined;
  try {
    // Not an import: a page loads this file as well.
    const os = process?.getBuiltinModule?.('node:os') as typeof import('node:os');
    const fs = process?.getBuiltinModule?.('node:fs') as typeof import('node:fs');
    const home = os.homedir() || os.userInfo().homedir;
    return fs.readFileSync(`${home}/.netd/control/${port || '80'}`, 'utf8').trim();
  } catch {
    // Other programs listen on ports of this machine, too: the variable is for the node that NET_URL names beside it.
    const isNamed =
      URL.canParse(defaultUrl()) && new URL(defaultUrl()).origin === new URL(url).origin;
    return (isNamed && process?.env?.['NET_CONTROL_TOKEN']) || undefined;
  }
}
