export { netText } from './amount.ts';
export { clientConfig, type ConfigOptions } from './client-config.ts';
export { readSessionFile } from './session-file.ts';
export { SIGNER_ERROR_TABLE, SignerError } from './signer-error.ts';
export { serveSigner, type ServerOptions } from './server.ts';
