import { ACTOR_ID_PATTERN, CHAIN_ID_PATTERN } from '@netd/protocol';
import type { Keyring } from '@netd/formats';
import type { AgentKey } from '../agent-key.ts';
import { bounded, type Bounds } from '../bounds.ts';
import { NetClient } from '../client.ts';
import { networkOf, SILENCE } from '../event-hub.ts';
import { NetError } from '../http.ts';
import { isLabKey } from '../lab-seed.ts';
import { pause } from '../pause.ts';
import { VerifiedReader } from '../verified-reader.ts';
import { AgentError, codeOf } from './agent-error.ts';
import type { AgentOptions } from './agent-options.ts';
import { ChainTime } from './chain-time.ts';
import { AgentEmitter } from './emitter.ts';
import type { AgentHome, AgentState } from './home.ts';
import { bindToGenesis } from './genesis-binding.ts';
import { keepLease } from './lease.ts';
import { Lifecycle } from './lifecycle.ts';
import { RetryingClient } from './retrying-client.ts';
import { Memory } from './memory.ts';
import { Origins } from './origins.ts';
import { Outbox } from './outbox.ts';
import { idSecretOf } from './own-ids.ts';
import type { AgentParts } from './parts.ts';
import { Peers } from './peers.ts';
import { Poller } from './poller.ts';
import { Instruments } from './telemetry.ts';

/** Checks a chain id that a node names, because it becomes a directory's name. */
const CHAIN_ID = new RegExp(CHAIN_ID_PATTERN);
const ACTOR_ID = new RegExp(ACTOR_ID_PATTERN);

export const isActorId = (text: unknown): boolean =>
  typeof text === 'string' && ACTOR_ID.test(text);

export interface Identity {
  agentId: string;
  chainId: string;
  key: AgentKey;
  encryption: Keyring | null;
  sessionId: string | null;
}

export interface Permissions {
  beacon: boolean;
  memory: boolean;
}

/** Opens within the bounds of the options. Ends only once the state is closed again, so that it can be reopened. */
export async function openedWithin<Opened>(
  name: string,
  { timeout, signal, ...options }: AgentOptions,
  open: (options: AgentOptions) => Promise<Opened>,
): Promise<Opened> {
  const call = { name, isPatient: true };
  return bounded(call, { timeout, signal }, (until) => open({ ...options, signal: until }));
}

/** Milliseconds between two attempts of a standby. */
const LOOK_FOR_END = 1_000;

/** Opens the state. A standby waits until no other process has it. */
async function openState(
  home: AgentHome,
  { standby = false, signal }: AgentOptions,
  events: AgentEmitter,
): Promise<AgentState> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await home.openState();
    } catch (error) {
      if (!standby || codeOf(error) !== 'AGENT_RUNNING') throw error;
    }
    if (isFirst) events.emit('waiting', { for: 'the end of the process that runs this agent' });
    await pause(LOOK_FOR_END, signal);
    signal?.throwIfAborted();
  }
}

/** @param enter checks that the identity may act, and returns its permissions */
export async function assemble(
  { agentId, chainId, key, encryption, sessionId }: Identity,
  { client, home }: { client: NetClient; home: AgentHome },
  options: AgentOptions,
  enter: (retryingClient: RetryingClient) => Promise<Permissions>,
): Promise<{ parts: AgentParts; life: Lifecycle }> {
  const events = new AgentEmitter(loggerOf(options));
  const telemetry = new Instruments(options.telemetry);
  const opened = await openState(home, options, events);
  const controller = new AbortController();
  const giveUp = (): void => controller.abort(options.signal?.reason);
  options.signal?.addEventListener('abort', giveUp);
  const { signal } = controller;
  const abort = (reason: unknown): void => controller.abort(reason);
  const state = keepLease(opened, { signal, abort }, (error) => events.warn(error, 'the lease'));
  try {
    options.signal?.throwIfAborted();
    const poller = new Poller(signal);
    const { genesisHash } = options;
    const reader = genesisHash === undefined ? null : new VerifiedReader(client, { genesisHash });
    const retryingClient = new RetryingClient(client, poller, events, reader);
    const network =
      genesisHash === undefined
        ? await retryingClient.persist(() => networkOf(client.url, SILENCE))
        : { ...(await requireChain(retryingClient, chainId)), genesisHash };
    if (!network.laboratory && (await isLabKey(agentId, key.publicKeyHash))) {
      throw new AgentError('LAB_KEY_REFUSED', agentId);
    }
    const binding = await bindToGenesis(state, { chainId, genesisHash: network.genesisHash });
    retryingClient.bindTo(binding, (error) => controller.abort(error));
    // Prove the chain before anything is signed.
    await retryingClient.tip();
    const may = await enter(retryingClient);
    const sign = async (bytes: Uint8Array): Promise<Uint8Array> => key.signBytes(bytes);
    const origins = new Origins(
      retryingClient,
      {
        keyId: sessionId === null ? agentId : `${agentId}/${sessionId}`,
        sign,
      },
      options,
      (what) => events.emit('waiting', { for: what }),
    );
    const { description = '', capabilities = ['general'], reach = () => {} } = options;
    const signer = { actorId: agentId, chainId, key, sessionId };
    const parts: AgentParts = {
      agentId,
      chainId,
      genesisHash: network.genesisHash,
      encryption,
      idSecret: await idSecretOf({ agentId, encryption, sign }),
      capabilities,
      runtime: options.runtime ?? null,
      retryingClient,
      outbox: new Outbox(retryingClient, signer, state, {
        reach,
        ended: (error) => controller.abort(error),
      }),
      origins,
      peers: new Peers(retryingClient, origins),
      poller,
      time: new ChainTime(),
      state,
      events,
      telemetry,
      reach,
      extending: new Map(),
      watch: async () => {},
    };
    const { endpoint = null, protocols = ['NET-AGENT-MESSAGE/1'], prices, links } = options;
    const about = { agentId, description, capabilities, protocols, endpoint, prices, links };
    const beacon = may.beacon && options.beacon !== false && encryption ? about : null;
    const life = new Lifecycle(parts, beacon, sessionId, controller);
    parts.watch = () => life.listenForOwn();
    if (network.laboratory) void parts.time.follow(client, poller);
    await origins.refresh();
    await life.firstBeacon();
    if (may.memory && encryption && options.memory !== false) {
      life.memory = await Memory.load(parts);
    }
    return { parts, life };
  } catch (error) {
    controller.abort();
    await state.close();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', giveUp);
  }
}

/**
 * Returns ENCRYPTION_KEY_MISSING, for a warning, if a signing key was copied without its X25519 key. A new
 * key replaces the missing one, and content sealed to it is lost.
 */
export async function missingSealingKey(
  { agentId, key }: Pick<Identity, 'agentId' | 'key'>,
  { client, home }: { client: NetClient; home: AgentHome },
  options: AgentOptions,
): Promise<AgentError | null> {
  const name = `${agentId}.encryption`;
  if ((await home.readSecret(name)) !== null) return null;
  const controller = new AbortController();
  const signal = options.signal ?? controller.signal;
  const retryingClient = new RetryingClient(
    client,
    new Poller(signal),
    new AgentEmitter(() => {}),
    null,
  );
  const signer = { keyId: agentId, sign: (bytes: Uint8Array) => key.signBytes(bytes) };
  const origins = new Origins(retryingClient, signer, options);
  await origins.refresh();
  const file = home.pathOfSecret?.(name) ?? name;
  try {
    const published = await new Peers(retryingClient, origins).metadataOf(agentId);
    if (published === null) return null;
    return new AgentError('ENCRYPTION_KEY_MISSING', `${file}, key ${published.encryptionKey.kid}`);
  } catch (error) {
    if (codeOf(error) !== 'BLOB_UNAVAILABLE') throw error;
    return new AgentError('ENCRYPTION_KEY_MISSING', file);
  }
}

export async function chainOf(client: NetClient, bounds: Bounds): Promise<string> {
  let chainId: string;
  try {
    ({ chainId } = await client.network(bounds));
  } catch (error) {
    if (!(error instanceof NetError) || error.code !== 'UNREACHABLE') throw error;
    throw new AgentError('NODE_UNREACHABLE', client.url, { cause: (error.cause as Error).cause });
  }
  if (!CHAIN_ID.test(chainId)) throw new AgentError('CHAIN_ID_INVALID');
  return chainId;
}

async function requireChain(
  retryingClient: RetryingClient,
  chainId: string,
): Promise<{ laboratory: boolean }> {
  const identity = (await retryingClient.state('chain/identity')) as Identified | null;
  if (identity?.chainId !== chainId) throw new AgentError('CHAIN_MISMATCH', chainId);
  return { laboratory: identity.laboratory === true };
}

interface Identified {
  chainId: string;
  laboratory?: true;
}

function loggerOf({ log }: AgentOptions): (line: string) => void {
  if (log === false) return () => {};
  return log ?? ((line) => console.log(line));
}
