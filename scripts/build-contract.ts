/** Builds the uncommitted files of contract/: tools, commands, and error codes that no node sends. */
import { writeFileSync } from 'node:fs';
import { BLOB_ERROR_TABLE } from '@netd/blobs';
import { AGENT_ERROR_TABLE } from '@netd/sdk';
import { commands } from './contract/commands.ts';
import { tools } from './contract/tools.ts';

/** JavaScript runtimes read these variables themselves. */
const PYTHON_ONLY = {
  ENVIRONMENT_INVALID: {
    title: 'A variable of the environment that the connection needs cannot be used',
    advice:
      'Correct the variable that the message names, or unset it: one of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE, SSL_CERT_DIR and SSLKEYLOGFILE. Addresses of this machine need no proxy.',
  },
};

/** Codes that only the SDKs and stores use. Document codes are in formats.json. */
const sdkErrors = {
  schema: 'NET-SDK-ERROR-CONTRACT/1',
  errors: { ...BLOB_ERROR_TABLE, ...AGENT_ERROR_TABLE, ...PYTHON_ONLY },
};

const files = { 'sdk-errors': sdkErrors, tools: tools(), commands: await commands() };
for (const [name, content] of Object.entries(files)) {
  const path = new URL(`../contract/${name}.json`, import.meta.url);
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}
