import { existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nextKeyPath } from '@netd/node';
import { syncDirectory, writeOnce } from '@netd/engine/durable-file';
import { ensureKeyFile, readKeyFile, type KeyFile } from '@netd/node/keys';
import type { Receipt } from '@netd/protocol';
import { AgentKey, type NetClient } from '@netd/sdk';
import type { Command } from 'commander';
import { CommandError } from '../../command-error.ts';
import { readDataDirFacts } from '../../data-dir-facts.ts';
import { addNodeOptions, openNode, type NodeOptions } from '../../node-address.ts';
import { answer, factsText } from '../../output.ts';
import { unlessInterrupted } from '../../submit-action.ts';
import type { Terminal } from '../../terminal.ts';

export function configure(command: Command, terminal: Terminal): void {
  addNodeOptions(command).action((options: NodeOptions) => rotate(options, terminal));
}

async function rotate(options: NodeOptions, terminal: Terminal): Promise<void> {
  const path =
    readDataDirFacts(options.dataDir)?.operatorKeyPath ??
    join(options.dataDir, 'keys', 'operator.json');
  const old = openFile(path);
  const { actorId } = old;
  const { client, network } = await openNode(options);
  const { chainId } = network;
  if (old.chainId !== chainId) {
    throw new CommandError(
      `${path} is a key of ${old.chainId}, and ${client.url} is a node of ${chainId}; name the other node with --url`,
      'WRONG_CHAIN',
    );
  }
  const inForce = await keyHashOf(client, actorId);
  const nextPath = nextKeyPath(path);
  const isBegun = existsSync(nextPath);
  if (inForce !== old.publicKeyHash && !isBegun) throw notInForce(path, old, inForce);
  // Write the new key before the chain learns it. An interrupted run's key is used again.
  const next = ensureKeyFile(nextPath, chainId, actorId);
  let receipt: Receipt | null = null;
  if (inForce === old.publicKeyHash) {
    const actor = { actorId, key: await AgentKey.fromPem(old) };
    const sent = client.rotateKey(actor, await AgentKey.fromPem(next));
    receipt = await unlessInterrupted(sent, 'rotateAgentKey', { ...options, actorId }, terminal);
  } else if (inForce !== next.publicKeyHash) {
    throw notInForce(path, old, inForce);
  }
  const oldPath = join(dirname(path), `operator.old-${old.publicKeyHash.slice(0, 8)}.json`);
  writeOnce(oldPath, `${JSON.stringify(old, null, 2)}\n`, 0o600);
  renameSync(nextPath, path);
  syncDirectory(dirname(path));
  const { publicKeyHash } = next;
  answer(terminal, options, { actorId, chainId, path, publicKeyHash, oldPath, receipt }, () =>
    [
      receipt === null
        ? `The chain had the new key of ${actorId} already; it is in its place now.`
        : `${actorId} has a new key, in force from height ${receipt.height} on.`,
      factsText([
        ['file', `${path}  (keep a copy elsewhere, sealed)`],
        ['hash', publicKeyHash],
        ['old key', `${oldPath}  (signs nothing any more: delete it)`],
      ]),
    ].join('\n'),
  );
}

const notInForce = (path: string, old: KeyFile, inForce: string | null): CommandError =>
  new CommandError(
    `the chain knows ${old.actorId} by another key (hash ${inForce}) than ${path} (${old.publicKeyHash}): put the one in force there, and try again`,
    'KEY_NOT_IN_FORCE',
  );

function openFile(path: string): KeyFile {
  try {
    return readKeyFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CommandError(
      `there is no operator's key at ${path}: name the data directory with -d`,
      'KEY_FILE_MISSING',
    );
  }
}

async function keyHashOf(client: NetClient, actorId: string): Promise<string | null> {
  const proof = await client.get(`/v1/state/proof?key=authority/${encodeURIComponent(actorId)}`);
  const { publicKeyHash } = (proof['value'] ?? {}) as { publicKeyHash?: string };
  return publicKeyHash ?? null;
}
