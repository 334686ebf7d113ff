import { BlobServiceError } from '@netd/blobs/client';
import { FormatError } from '@netd/formats';
import { brandError, NetSdkError } from '@netd/protocol';
import { AgentError } from './agent/agent-error.ts';
import { AmountError } from './amount.ts';
import { NetError } from './http.ts';
import { LostAnswerError } from './submission.ts';
import { StaleStateError, VerificationError } from './verified-reader.ts';

const CLASSES = [
  AgentError,
  AmountError,
  BlobServiceError,
  FormatError,
  LostAnswerError,
  NetError,
  StaleStateError,
  VerificationError,
];

/**
 * Returns the error with its class, code and data; a NetSdkError if the class is unknown.
 * @throws TypeError if this is not the JSON of an error of this project
 */
export function errorFrom(json: unknown): NetSdkError {
  const { message, ...members } = Object(json) as Record<string, unknown>;
  const { name, code, data } = members;
  if (typeof message !== 'string' || typeof code !== 'string' || typeof name !== 'string')
    throw new TypeError('this is not the JSON of an error of this project');
  const error = new Error(message, { cause: { code, data } });
  const known = CLASSES.find((one) => one.name === name) ?? NetSdkError;
  Object.setPrototypeOf(error, known.prototype);
  brandError(error);
  // Define the member: assigning a foreign __proto__ would change the prototype.
  for (const [member, value] of Object.entries(members))
    Object.defineProperty(error, member, { value, enumerable: true, configurable: true });
  return error as NetSdkError;
}
