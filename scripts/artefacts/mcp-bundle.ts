/**
 * The local MCP server as a one-click bundle (https://github.com/modelcontextprotocol/mcpb), and the registry
 * entry that lists it and the node's own server.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DESCRIBED_SIGNER_TOOLS } from '@netd/mcp-signer';
import { sha256Hex } from '@netd/protocol';
import { VERSION } from '@netd/protocol/version';
import { mcpRegistryEntry } from '@netd/server/mcp-registry';
import { thirdPartyLicences } from '../../packages/sdk/scripts/build/licences.ts';
import { SDK_NODE } from '../node-environment.ts';
import { makeZip } from './archives.ts';
import { bundleProgram, ROOT } from './bundle.ts';

const NAME = 'net-mcp';
const ENTRY = `lib/${NAME}.mjs`;

interface UserField {
  type: 'string' | 'file' | 'directory';
  title: string;
  description: string;
  default: string;
  /** The variable that `netd mcp` reads. */
  env: string;
}

/** Fields for the user. Only the name is required. */
const FIELDS: Readonly<Record<string, UserField>> = {
  agent: {
    type: 'string',
    title: 'Name of the agent',
    description:
      'Letters, digits, dots, underscores, hyphens. If this machine has no key of it, the agent is created and registered.',
    default: '',
    env: 'NET_AGENT',
  },
  node: {
    type: 'string',
    title: 'Address of the node',
    description: 'The network that it acts on.',
    default: 'http://127.0.0.1:8420',
    env: 'NET_URL',
  },
  budget: {
    type: 'string',
    title: 'Budget',
    description: 'What the model may spend in all, such as 5 NET; the chain refuses more.',
    default: '5 NET',
    env: 'NET_MCP_BUDGET',
  },
  ask_above: {
    type: 'string',
    title: 'Ask above',
    description: 'What may go in all before you are asked; 0 NET: always.',
    default: '0 NET',
    env: 'NET_ASK_ABOVE',
  },
  keys: {
    type: 'directory',
    title: 'Folder of keys',
    // No default with the home folder, because some clients pass it unexpanded.
    description: 'Where keys of agents lie on this machine; left empty, .netd/keys in your home.',
    default: '',
    env: 'NET_HOME',
  },
  session: {
    type: 'file',
    title: 'Session file',
    description: 'In place of a name: the file of a session that the owner of an agent gave you.',
    default: '',
    env: 'NET_SESSION',
  },
  policy: {
    type: 'file',
    title: 'Policy file',
    description: 'Limits per call, hour and day, recipients, what always asks.',
    default: '',
    env: 'NET_MCP_POLICY',
  },
};

/** @throws Error if the server needs a native part: one bundle must fit all machines */
export async function mcpBundle(): Promise<Buffer> {
  const { files, foreign } = await bundleProgram(NAME, 'packages/cli/src/signer.ts', []);
  return makeZip({
    ...Object.fromEntries(Object.entries(files).map(([path, code]) => [path, Buffer.from(code)])),
    'manifest.json': json(manifest()),
    LICENSE: readFileSync(join(ROOT, 'LICENSE')),
    'README.md': readFileSync(join(ROOT, 'packages/mcp-signer/README.md')),
    'THIRD-PARTY-LICENSES': Buffer.from(thirdPartyLicences(foreign, NAME)),
  });
}

function manifest(): object {
  return {
    // The newest version that current clients accept. 0.4 adds Python servers.
    manifest_version: '0.3',
    name: NAME,
    display_name: 'NET agent',
    version: VERSION,
    description:
      'An agent of your own on a NET network: it works, hires, talks, remembers and pays.',
    long_description:
      'A model acts as your agent, by a key on this machine that a session limits: actions, budget, last block. What spends is asked about first. Networks are run by netd; give the address of a node.',
    author: { name: 'The netd authors' },
    license: 'Apache-2.0',
    keywords: ['agents', 'netd', 'work', 'payments'],
    server: {
      type: 'node',
      entry_point: ENTRY,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${ENTRY}`, 'serve'],
        env: Object.fromEntries(
          Object.entries(FIELDS).map(([field, { env }]) => [env, `\${user_config.${field}}`]),
        ),
      },
    },
    tools: DESCRIBED_SIGNER_TOOLS.map(({ name, description = '' }) => ({ name, description })),
    prompts_generated: true,
    compatibility: {
      platforms: ['darwin', 'linux', 'win32'],
      runtimes: { node: `>=${SDK_NODE}` },
    },
    user_config: Object.fromEntries(
      Object.entries(FIELDS).map(([field, { env: _, ...asked }]) => [
        field,
        { ...asked, required: false },
      ]),
    ),
  };
}

/** server.json for a local node. Every other node serves its own address. */
export function registryEntry(bundle: Uint8Array): Buffer {
  const variables = Object.values(FIELDS).map((field) => ({
    name: field.env,
    description: `${field.title}. ${field.description}`,
    format: field.type === 'string' ? 'string' : 'filepath',
    ...(field.default === '' ? {} : { default: field.default }),
  }));
  return json(mcpRegistryEntry(sha256Hex(bundle), variables));
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
