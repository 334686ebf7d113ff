import { BlobClient, type BlobSigner } from '@netd/blobs/client';
import {
  agentMetadata,
  encryptionKeyOf,
  publicEncryptionKey,
  type Blob,
  type EncryptionSecret,
} from '@netd/formats';
import { MAX_EXPIRY_DISTANCE, type JsonObject, type Receipt } from '@netd/protocol';
import { AgentKey, NetError, type Actor, type DocumentOf, type NetClient } from '@netd/sdk';
import { pause, sequenceAfter } from '@netd/sdk/internal';
import type { Judging } from './judging.ts';
import type { BlobPlace, FromHouse, PresenceSpan, StaffKey } from './staff.ts';

export interface House {
  client: NetClient;
  chainId: string;
  places: readonly BlobPlace[];
  trustedStores?: readonly string[];
  isOurs: (actorId: string) => boolean;
  presence: PresenceSpan;
  judging: Judging;
  tell: (what: FromHouse) => void;
  signal: AbortSignal;
}

export interface Presence {
  description: string;
  capabilities: string[];
  protocols: string[];
  /** URL for the beacon; the metadata's own origin by default. */
  endpoint?: string;
}

export type AgentDocument = DocumentOf<'/v1/agents/{agentId}'>;

/** Shorter than the protocol's maximum, because blocks pass before the beacon is committed. */
export const PRESENCE: PresenceSpan = { lifetime: MAX_EXPIRY_DISTANCE - 100, margin: 500 };
const STORE_TIMEOUT = 20_000;
const TRANSFER_TRIES = 20;
const TRANSFER_POLL_MILLISECONDS = 250;

export class Member {
  readonly house: House;
  readonly actor: Actor;
  readonly encryption: EncryptionSecret;
  private readonly signer: BlobSigner;

  private constructor(house: House, key: StaffKey, actor: Actor) {
    this.house = house;
    this.actor = actor;
    this.encryption = { ...encryptionKeyOf(key.encryption.x), d: key.encryption.d };
    this.signer = { keyId: key.actorId, sign: (bytes) => actor.key.signBytes(bytes) };
  }

  static async open(house: House, key: StaffKey): Promise<Member> {
    return new Member(house, key, { actorId: key.actorId, key: await AgentKey.fromPem(key) });
  }

  get actorId(): string {
    return this.actor.actorId;
  }

  act(action: string, payload: JsonObject): Promise<Receipt> {
    return this.house.client.act(this.actor, action, payload);
  }

  /**
   * Acts, and ignores refusals with these codes, which mean that it was done already.
   * @returns true if it was done now
   * @throws NetError for any other refusal
   */
  async actUnless(codes: readonly string[], action: string, payload: JsonObject): Promise<boolean> {
    try {
      await this.act(action, payload);
      return true;
    } catch (error) {
      expectRefusal(error, ...codes);
      return false;
    }
  }

  /**
   * Registers the agent, unless the chain already has it.
   * @throws Error if another key has the name
   */
  async join(description: string): Promise<AgentDocument> {
    const { client } = this.house;
    const known = await agentOf(client, this.actorId);
    if (!known) {
      try {
        await client.register(this.actor, { description });
      } catch (error) {
        expectRefusal(error, 'AGENT_EXISTS', 'NAME_TAKEN', 'KEY_ALREADY_REGISTERED');
      }
    }
    const agent = known ?? (await client.read('/v1/agents/{agentId}', { agentId: this.actorId }));
    if (agent.authority.publicKey !== this.actor.key.publicKey) {
      throw new Error(`another key holds the name ${this.actorId} on this chain`);
    }
    return agent;
  }

  async extend(agent: AgentDocument, actions: string[]): Promise<void> {
    const held = new Set(agent.authority.capabilities.map(({ action }) => action));
    const missing = actions.filter((action) => !held.has(action));
    if (missing.length === 0) return;
    await this.actUnless(['CAPABILITIES_UNCHANGED'], 'extendAgentCapabilities', {
      agentId: this.actorId,
      actions: missing,
    });
  }

  /**
   * Draws from the faucet, then asks the operator for the rest.
   * @param least unet
   * @param target unet
   * @returns true if the balance reaches `least` now
   */
  async fund(balance: number, least: number, target: number): Promise<boolean> {
    if (balance >= least) return true;
    try {
      await this.act('faucet', { amount: target - balance });
      return true;
    } catch (error) {
      if (!(error instanceof NetError) || !error.code.startsWith('FAUCET_')) throw error;
      this.house.tell({ kind: 'short', actorId: this.actorId, needs: target - balance });
    }
    return this.awaitBalance(least);
  }

  private async awaitBalance(least: number): Promise<boolean> {
    const { client, signal } = this.house;
    for (let i = 0; i < TRANSFER_TRIES && !signal.aborted; i++) {
      await pause(TRANSFER_POLL_MILLISECONDS, signal);
      const { account } = await client.read('/v1/agents/{agentId}', { agentId: this.actorId });
      if (account.balance >= least) return true;
    }
    return false;
  }

  /**
   * Stores the bytes at every store that accepts them.
   * @throws Error if no store does
   */
  async store({ bytes }: Pick<Blob, 'bytes'>): Promise<string> {
    const { places } = this.house;
    const results = await Promise.allSettled(
      places.map(({ url }) =>
        new BlobClient(url, { timeout: STORE_TIMEOUT }).put(bytes, this.signer),
      ),
    );
    const stored = results.find((result) => result.status === 'fulfilled');
    if (stored) return stored.value;
    const reasons = results.map((result) => String((result as PromiseRejectedResult).reason));
    throw new Error(`no place keeps the blobs of ${this.actorId}: ${reasons.join('; ')}`);
  }

  /** Stores an optional blob. Failures are only logged, because stores may be full or busy. */
  async storeIfPossible(blob: Pick<Blob, 'bytes'>): Promise<void> {
    await this.store(blob).catch((error: unknown) => {
      this.house.tell({ kind: 'say', text: (error as Error).message });
    });
  }

  async keepBeacon({ description, capabilities, protocols, endpoint }: Presence): Promise<void> {
    const { client, places, presence } = this.house;
    const metadata = agentMetadata.make({
      schema: 'NET-AGENT-METADATA/1',
      agentId: this.actorId,
      description,
      encryptionKey: publicEncryptionKey(this.encryption),
      blobs: places.map(({ url }) => url),
    });
    await this.storeIfPossible(metadata);
    const [{ beacon, beaconSequence }, { height }] = await Promise.all([
      client.read('/v1/agents/{agentId}', { agentId: this.actorId }),
      client.network(),
    ]);
    const says = {
      endpoint: endpoint ?? `${httpsOf(places[0])}/blobs/${metadata.hash}`,
      capabilities,
      protocols,
      metadataHash: metadata.hash,
    };
    const now = beacon as (typeof says & { expiresAtHeight: number }) | null;
    const same =
      now !== null &&
      now.endpoint === says.endpoint &&
      now.metadataHash === says.metadataHash &&
      now.capabilities.join() === capabilities.join() &&
      now.protocols.join() === protocols.join();
    if (same && now.expiresAtHeight - height > presence.margin) return;
    await this.actUnless(['BEACON_SEQUENCE_STALE'], 'publishBeacon', {
      schema: 'NET-AGENT-BEACON/1',
      agentId: this.actorId,
      indexable: true,
      ...says,
      expiresAtHeight: height + presence.lifetime,
      sequence: sequenceAfter(beaconSequence, height),
    });
  }
}

export function httpsOf(place: BlobPlace | undefined): string {
  if (!place) throw new Error('a house has at least one store for blobs');
  return place.httpsUrl ?? place.url.replace('http:', 'https:');
}

/** @throws the error unless it is a refusal with one of these codes */
export function expectRefusal(error: unknown, ...codes: string[]): void {
  if (!(error instanceof NetError) || !codes.includes(error.code)) throw error;
}

export async function agentOf(client: NetClient, agentId: string): Promise<AgentDocument | null> {
  try {
    return await client.read('/v1/agents/{agentId}', { agentId });
  } catch (error) {
    expectRefusal(error, 'AGENT_NOT_FOUND');
    return null;
  }
}
