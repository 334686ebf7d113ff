export { clientConfig, serverName, type ServerEntry } from './client-config.ts';
export { readPolicyFile } from './policy-file.ts';
export { NO_POLICY } from './policy.ts';
export { readSessionFile } from './session-file.ts';
export { SIGNER_ERROR_TABLE, SignerError } from './signer-error.ts';
export { promptsFor, resourcesFor, resourceTemplatesFor } from './resources.ts';
export { DESCRIBED_SIGNER_TOOLS } from './tool-calls.ts';
export { serveSigner, type ServerOptions } from './server.ts';
