import { encryptionKeyOf, type EncryptionSecret, type Keyring } from '@netd/formats';
import { bytesToHex } from '@netd/protocol';
import { readSecretFile } from '#home';
import { AgentKey } from '../agent-key.ts';
import type { ActionName } from '../actions.ts';
import type { NetAmount } from '../amount.ts';
import type { SessionGrant } from '../client.ts';
import { generateKeyPair } from '../key-file.ts';
import { BOUNDS, type Bounds } from '../bounds.ts';
import type { OptionNames } from '../option-names.ts';
import { AgentError } from './agent-error.ts';
import { unetOf } from './amount.ts';
import type { AgentHome } from './home.ts';
import { withActions } from './own-acts.ts';
import type { AgentParts } from './parts.ts';
import type { RetryingClient } from './retrying-client.ts';

interface SecretKey {
  x: string;
  kid: string;
  d: string;
}

/** A session file. Keep it secret: its holder can do all that the session may. */
export interface SessionFile {
  /** Name and version of the format. */
  schema: 'NET-SESSION-FILE/1';
  /** The chain that the session is for. */
  chainId: string;
  /** The agent that it acts for. */
  actorId: string;
  /** Id of the session on the chain. */
  sessionId: string;
  /** Public key of the session as PEM. */
  publicKey: string;
  /** Lowercase hex SHA-256 of the public key. */
  publicKeyHash: string;
  /** Private key of the session as PEM. Anyone with it acts for the agent, within the limits. */
  privateKey: string;
  /** Null unless the session reads sealed content; `d` is secret. */
  encryptionKey: SecretKey | null;
  /** Older keys, newest first; left out if there are none. */
  formerEncryptionKeys?: SecretKey[];
}

/** What a session may do. */
export interface SessionOptions extends Bounds {
  /** Actions of the agent that the session may use. */
  actions: readonly ActionName[];
  /** Total that may leave the account: '5 NET', or unet. */
  budget: NetAmount | number;
  /** Most that one act may spend: '5 NET', or unet. */
  maxAmount?: NetAmount | number | undefined;
  /** Heights from now; default 2,000. */
  expiresIn?: number | undefined;
  /** Public text. */
  label?: string | undefined;
  /** True to let it read messages, sealed scopes and memory. Default true if its actions need that. */
  readsSealed?: boolean | undefined;
}

export const SESSION_OPTIONS: OptionNames<SessionOptions> = {
  actions: 'texts',
  budget: true,
  maxAmount: true,
  expiresIn: 'count',
  label: true,
  readsSealed: true,
  ...BOUNDS,
};

const LIFETIME = 2_000;
const ABOUT_SEALED = new Set([
  'sendAgentMessage',
  'acknowledgeAgentMessage',
  'commitMemoryCheckpoint',
]);

export function readsSealed(actions: readonly string[], said: boolean | undefined): boolean {
  return said ?? actions.some((action) => ABOUT_SEALED.has(action));
}

/**
 * Returns a session file. The session must still be granted.
 * @param encryption the agent's X25519 keys, newest first; null if the session reads nothing sealed
 */
export async function makeSessionFile(
  of: Pick<SessionFile, 'chainId' | 'actorId' | 'sessionId'>,
  encryption: Keyring | null,
): Promise<SessionFile> {
  const { chainId, actorId, sessionId } = of;
  const [newest = null, ...former] = (encryption ?? []).map(({ x, kid, d }) => ({ x, kid, d }));
  return {
    schema: 'NET-SESSION-FILE/1',
    chainId,
    actorId,
    sessionId,
    ...(await generateKeyPair()),
    encryptionKey: newest,
    ...(former.length > 0 ? { formerEncryptionKeys: former } : {}),
  };
}

export const sessionText = (session: SessionFile): string =>
  `${JSON.stringify(session, null, 2)}\n`;

interface Granting {
  parts: AgentParts;
  home: AgentHome;
  key: AgentKey;
  encryption: Keyring;
}

/** A session key, with the content and name of its file. */
export interface GrantedSession {
  /** Name of the file. */
  name: string;
  /** Path of the session file; null if keys are not stored as files. */
  path: string | null;
  /** Content of the file. */
  session: SessionFile;
}

/** Writes the file, which is harmless without a session, then grants the session. */
export async function grantSession(
  { parts, home, key, encryption }: Granting,
  options: SessionOptions,
): Promise<GrantedSession> {
  const { actions, budget, maxAmount, expiresIn = LIFETIME, label } = options;
  const { agentId: actorId, chainId } = parts;
  const { client } = parts.retryingClient;
  const { signal } = parts.poller;
  const sessionId = `s-${bytesToHex(crypto.getRandomValues(new Uint8Array(6)))}`;
  const reads = readsSealed(actions, options.readsSealed);
  const of = { chainId, actorId, sessionId };
  const session = await makeSessionFile(of, reads ? encryption : null);
  const name = `${actorId}.session-${sessionId}`;
  const { height } = await client.network();
  const grant = {
    sessionId,
    actions: [...actions],
    budget: unetOf(budget, 'budget'),
    expiresAtHeight: height + expiresIn,
    ...(maxAmount === undefined ? {} : { maxAmount: unetOf(maxAmount, 'maxAmount') }),
    ...(label === undefined ? {} : { label }),
    key: await AgentKey.fromPem(session),
  };
  await home.writeSecret(name, sessionText(session));
  await withActions(parts, actions, () =>
    client.grantSession({ actorId, key }, grant as SessionGrant, { signal }),
  );
  return { name, path: home.pathOfSecret?.(name) ?? null, session };
}

export async function readSession(path: string): Promise<SessionFile> {
  return parseSession(await readSecretFile(path));
}

function parseSession(text: string | null): SessionFile {
  try {
    const session = JSON.parse(text ?? '') as SessionFile;
    const { schema, chainId, actorId, sessionId, privateKey, publicKey } = session;
    const texts: unknown[] = [chainId, actorId, sessionId, privateKey, publicKey];
    const whole = texts.every((one) => typeof one === 'string');
    if (schema === 'NET-SESSION-FILE/1' && whole) return session;
  } catch {
    // Refused below. Never quote the text, since it may be a key.
  }
  throw new AgentError('SESSION_FILE_INVALID');
}

export async function keysOfSession(
  session: SessionFile,
): Promise<{ signing: AgentKey; encryption: Keyring | null }> {
  const { encryptionKey, formerEncryptionKeys = [] } = session;
  const secretOf = ({ x, d }: SecretKey): EncryptionSecret => ({ ...encryptionKeyOf(x), d });
  try {
    const signing = await AgentKey.fromPem(session);
    if (!encryptionKey) return { signing, encryption: null };
    const former = formerEncryptionKeys.map(secretOf);
    return { signing, encryption: [secretOf(encryptionKey), ...former] };
  } catch {
    throw new AgentError('SESSION_FILE_INVALID');
  }
}

export async function requireLive(
  retryingClient: RetryingClient,
  { actorId, sessionId, publicKeyHash }: SessionFile,
): Promise<ReadonlySet<string>> {
  const found = await retryingClient.find('/v1/agents/{agentId}', { agentId: actorId });
  const live = found?.sessions.find(
    (one) => one.sessionId === sessionId && one.publicKeyHash === publicKeyHash,
  );
  if (!live) throw new AgentError('SESSION_ENDED', sessionId);
  if (found?.agent.status !== 'active') throw new AgentError('AGENT_INACTIVE');
  return new Set(live.actions);
}
