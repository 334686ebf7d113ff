/** `netd act`: sign one action and submit it. */
import { ACTIONS } from '@netd/ledger';
import { readKeyFile, type KeyFile } from '@netd/node/keys';
import { parseStrictJson, StrictJsonError, type JsonObject } from '@netd/protocol';
import { AgentKey, NetClient } from '@netd/sdk';
import { Option, type Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { defaultKeyDir, findKey } from '../key-store.ts';
import { reachNode } from '../reach-node.ts';

interface ActOptions {
  url: string;
  keyDir?: string;
  key?: string;
  dryRun?: boolean;
  json?: boolean;
}

export function configure(command: Command): void {
  const names = [...ACTIONS.values()].map(({ name, summary }) => `  ${name.padEnd(26)}${summary}`);
  command
    .argument('<agent>', 'the agent that acts; its key was made by netd join')
    .argument('<action>', 'the name of the action')
    .argument('[payload]', 'its payload as JSON; what can be known is filled in', '{}')
    .addOption(
      new Option('--url <url>', 'the node').env('NET_URL').default('http://127.0.0.1:8420'),
    )
    .option('--key-dir <path>', 'where keys lie (default: $NET_HOME or ~/.netd/keys)')
    .option('--key <file>', 'this key file, for example the operator key of a data directory')
    .option('--dry-run', 'only say what would happen')
    .option('--json', 'print the answer of the node as JSON')
    .addHelpText('after', `\nActions:\n${names.join('\n')}`)
    .action(act);
}

async function act(
  agent: string,
  actionName: string,
  payloadText: string,
  options: ActOptions,
): Promise<void> {
  const client = new NetClient({ url: options.url });
  const { chainId } = await reachNode(client);
  const payload = parsePayload(payloadText);
  const keyFile =
    options.key === undefined
      ? findKey(options.keyDir ?? defaultKeyDir(), chainId, agent)
      : readNamedKey(options.key);
  if (keyFile.actorId !== agent) {
    throw new CommandError(`the key file is that of ${keyFile.actorId}, not of ${agent}`);
  }
  if (options.dryRun === true) {
    const simulation = await client.simulate({ actorId: agent }, actionName, payload);
    console.log(JSON.stringify(simulation, null, 2));
    if (simulation.outcome !== 'accepted') process.exitCode = EXIT.failed;
    return;
  }
  const key = await AgentKey.fromPem(keyFile);
  const receipt = await client.act({ actorId: agent, key }, actionName, payload);
  if (options.json === true) {
    console.log(JSON.stringify(receipt, null, 2));
    return;
  }
  console.log(`${agent} did ${actionName}, committed at height ${receipt.height}.`);
  for (const { id, type, data } of receipt.events) {
    console.log(`  event ${id}  ${type}  ${JSON.stringify(data)}`);
  }
  console.log(`  proof  ${client.url}/v1/transitions/${receipt.transitionHash}`);
}

function readNamedKey(path: string): KeyFile {
  try {
    return readKeyFile(path);
  } catch (error) {
    throw new CommandError(
      `${path} cannot be used as a key file: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function parsePayload(text: string): JsonObject {
  let value;
  try {
    value = parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new CommandError(`the payload is not JSON as envelopes need it: ${error.message}`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new CommandError('the payload must be a JSON object, in single quotes for the shell');
  }
  return value;
}
