import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateEncryptionKey, type EncryptionSecret } from '@netd/formats';
import { writeOnce } from '@netd/engine/durable-file';
import { ensureKeyFile } from '@netd/node/keys';
import { AgentKey, type Actor, type NetworkStatus } from '@netd/sdk';
import { CommandError } from '../command-error.ts';
import type { Newcomer } from './scenes/rounds.ts';

export interface Player extends Actor {
  name: string;
  description: string;
  capabilities: string[];
  referrer: string | null;
  encryption: EncryptionSecret;
}

export interface Cast {
  requester: Player;
  workers: Player[];
  verifiers: Player[];
  providers: Player[];
  auditor: Player;
  /** The second auditor, of another independence group than the first. */
  reviewer: Player;
  contributor: Player;
  validator: Player;
  /** The validator's block-signing key in PEM. Its agent key is a different key. */
  consensus: { consensusPublicKey: string; consensusKeySignature: string };
  all: Player[];
}

interface Part {
  name: string;
  description: string;
  capabilities: string[];
  referrer?: string;
}

const verifier = (name: string): Part => ({
  name,
  description: 'Checks the work of others.',
  capabilities: ['verification'],
});
const provider = (name: string): Part => ({
  name,
  description: 'Keeps runtimes and restores agents in them.',
  capabilities: ['runtime'],
});

/**
 * The requester has no recruits, and no verifier recruited a worker, because they would not count as
 * independent.
 */
const PARTS = {
  requester: {
    name: 'rita',
    description: 'Needs papers read, and pays for it.',
    capabilities: ['procurement'],
  },
  auditor: {
    name: 'ada',
    description: 'Believes nothing that she has not checked.',
    capabilities: ['audit'],
  },
  reviewer: {
    name: 'arno',
    description: 'Never agrees out of politeness.',
    capabilities: ['audit'],
  },
  validator: {
    name: 'kuno',
    description: 'Replays every block, and would certify them.',
    capabilities: ['validation'],
  },
  contributor: {
    name: 'cleo',
    description: 'Improves the protocol itself.',
    capabilities: ['protocol-engineering'],
  },
  workers: [
    ['wim', 'transcription'],
    ['wanda', 'translation'],
    ['wolf', 'data-cleaning'],
  ].map(([name = '', skill = '']): Part => ({
    name,
    description: 'Reads papers, for money.',
    capabilities: ['research', 'summaries', skill],
    referrer: 'ada',
  })),
  verifiers: ['vera', 'vito', 'viki', 'vlad', 'vroni'].map(verifier),
  providers: ['rune', 'rosa'].map(provider),
};

/** Returns a worker that is in no key file, because a later run does not need it. */
export async function newPlayer({ name, skill }: Newcomer, runId: string): Promise<Player> {
  return {
    actorId: `${name}-${runId}`,
    key: await AgentKey.generate(),
    name,
    description: `New here, and good at ${skill}.`,
    capabilities: ['research', 'summaries', skill],
    referrer: null,
    encryption: await generateEncryptionKey(),
  };
}

interface CastFile {
  schema: 'NET-DEMO-CAST/1';
  genesisHash: string;
  suffix: string;
}

/**
 * Returns the cast of a directory, and creates it for a new chain. Keys are in `<directory>/keys`.
 * @throws CommandError if the directory has the cast of another chain
 */
export async function assemble(directory: string, network: NetworkStatus): Promise<Cast> {
  const suffix = suffixOf(directory, network);
  const players = new Map<string, Player>();
  const enter = async (part: Part): Promise<Player> => {
    const { name, description, capabilities, referrer } = part;
    const actorId = `${name}-${suffix}`;
    const file = ensureKeyFile(
      join(directory, 'keys', `${actorId}.json`),
      network.chainId,
      actorId,
    );
    const player: Player = {
      actorId,
      key: await AgentKey.fromPem(file),
      name,
      description,
      capabilities,
      referrer: referrer === undefined ? null : `${referrer}-${suffix}`,
      encryption: await generateEncryptionKey(),
    };
    players.set(name, player);
    return player;
  };
  const validator = await enter(PARTS.validator);
  const consensusKey = ensureKeyFile(
    join(directory, 'keys', `${validator.actorId}-consensus.json`),
    network.chainId,
    `${validator.actorId}-consensus`,
  );
  const consensusPublicKey = consensusKey.publicKey;
  const proof = await (
    await AgentKey.fromPem(consensusKey)
  ).sign({
    schema: 'NET-CONSENSUS-KEY/1',
    chainId: network.chainId,
    actorId: validator.actorId,
    consensusPublicKey,
  });
  const enterAll = (parts: readonly Part[]): Promise<Player[]> => Promise.all(parts.map(enter));
  return {
    requester: await enter(PARTS.requester),
    auditor: await enter(PARTS.auditor),
    reviewer: await enter(PARTS.reviewer),
    contributor: await enter(PARTS.contributor),
    validator,
    consensus: {
      consensusPublicKey,
      consensusKeySignature: proof.signature,
    },
    workers: await enterAll(PARTS.workers),
    verifiers: await enterAll(PARTS.verifiers),
    providers: await enterAll(PARTS.providers),
    all: [...players.values()],
  };
}

function suffixOf(directory: string, { genesisHash }: NetworkStatus): string {
  const path = join(directory, 'cast.json');
  const fresh: CastFile = {
    schema: 'NET-DEMO-CAST/1',
    genesisHash,
    suffix: randomInt(36 ** 3, 36 ** 4).toString(36),
  };
  writeOnce(path, `${JSON.stringify(fresh, null, 2)}\n`, 0o644);
  let known: CastFile;
  try {
    known = JSON.parse(readFileSync(path, 'utf8')) as CastFile;
  } catch {
    throw new CommandError(`${path} is not JSON; remove it, and the demo makes a new cast`);
  }
  if (known.genesisHash !== genesisHash) {
    throw new CommandError(
      `the cast in ${directory} plays on another chain than the node serves; remove that directory, or choose another --data-dir`,
    );
  }
  return known.suffix;
}
