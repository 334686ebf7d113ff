import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { devnetGenesis, withChangingSet } from '@netd/ledger';
import { DataDirError, writeOnce } from '@netd/engine';
import { nodeId } from '@netd/engine/cometbft';
import { GENESIS_FILE } from './data-dir.ts';
import { DEFAULT_BOND, ensureValidatorKey, operatorKeyPath, ownerKeyPath } from './founders.ts';
import { ensureKeyFile, readKeyFile } from './keys.ts';
import { newChainId } from './chain-ids.ts';

const FACTS = 'testnet.json';

export interface Testnet {
  schema: 'NET-TESTNET/1';
  chainId: string;
  validators: {
    validatorId: string;
    dataDir: string;
    /** Address of the validator's CometBFT, on loopback. */
    p2pAddress: string;
    /** `id@host:port`. */
    peer: string;
  }[];
}

/**
 * Writes keys first and their names last, so an interrupted start is repeated with the same keys.
 * @param count validators of a new testnet
 * @param rules version with which a new testnet begins; default the newest
 */
export async function openTestnet(
  directory: string,
  count: number,
  now: number,
  rules?: number,
): Promise<{ testnet: Testnet; isNew: boolean }> {
  const root = resolve(directory);
  const facts = join(root, FACTS);
  const dirOf = (index: number): string => join(root, `validator-${index + 1}`);
  if (existsSync(facts)) {
    const found = readFacts(facts);
    // The folder may have been moved since.
    const validators = found.validators.map((each, index) => ({ ...each, dataDir: dirOf(index) }));
    return { testnet: { ...found, validators }, isNew: false };
  }
  const firstKey = operatorKeyPath(dirOf(0));
  const chainId = existsSync(firstKey) ? readKeyFile(firstKey).chainId : newChainId();
  const operator = ensureKeyFile(firstKey, chainId, 'operator');
  const keys = Array.from({ length: count }, (_, index) => {
    const validatorId = `validator-${index + 1}`;
    return ensureValidatorKey(dirOf(index), chainId, validatorId);
  });
  const [first] = keys;
  if (!first) throw new RangeError('a testnet has at least one validator');
  const owners = keys.map(({ actorId }, index) =>
    ensureKeyFile(ownerKeyPath(dirOf(index)), chainId, actorId),
  );
  const genesis = withChangingSet(
    devnetGenesis({
      chainId,
      genesisTime: new Date(now).toISOString(),
      operator: { actorId: operator.actorId, publicKey: operator.publicKey },
      validator: { validatorId: first.actorId, consensusPublicKey: first.publicKey },
      ...(rules === undefined ? {} : { rules }),
    }),
    keys.map(({ actorId, publicKey }, index) => ({
      validatorId: actorId,
      consensusPublicKey: publicKey,
      ownerPublicKey: owners[index]?.publicKey ?? '',
      faultDomain: `local-${index + 1}`,
      bond: DEFAULT_BOND,
    })),
  );
  const ports = await freePorts(count);
  const validators = keys.map(({ actorId }, index) => {
    const dataDir = dirOf(index);
    const p2pAddress = `127.0.0.1:${ports[index]}`;
    const peer = `${nodeId(join(dataDir, 'cometbft'))}@${p2pAddress}`;
    return { validatorId: actorId, dataDir, p2pAddress, peer };
  });
  // An interrupted start may have written an older genesis.
  const firstGenesis = join(dirOf(0), GENESIS_FILE);
  writeOnce(firstGenesis, jsonText(genesis), 0o644);
  const genesisText = readFileSync(firstGenesis, 'utf8');
  for (const { dataDir } of validators) {
    // All validators have one operator.
    writeOnce(operatorKeyPath(dataDir), jsonText(operator), 0o600);
    writeOnce(join(dataDir, GENESIS_FILE), genesisText, 0o644);
  }
  const testnet: Testnet = { schema: 'NET-TESTNET/1', chainId, validators };
  writeOnce(facts, jsonText(testnet), 0o644);
  return { testnet, isNew: true };
}

function readFacts(path: string): Testnet {
  try {
    const facts = JSON.parse(readFileSync(path, 'utf8')) as Partial<Testnet>;
    if (facts.schema === 'NET-TESTNET/1' && Array.isArray(facts.validators)) {
      return facts as Testnet;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DataDirError(
    `${path} is damaged, which says who the validators are and on which ports: put it back, or name another --dir for a new testnet`,
  );
}

const jsonText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** CometBFT needs fixed ports. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((done, failed) => {
          const server = createServer();
          server.once('error', failed);
          server.listen(0, '127.0.0.1', () => done(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
