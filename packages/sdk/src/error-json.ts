/** Errors across the borders of a process: from their JSON, with class, code and data. */
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
 * Returns the error that `JSON.stringify` made this of. An error of a class that is not known here is a plain NetSdkError.
 * @throws TypeError if it is not the JSON of an error of this project
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
  // Defined one by one: a member named __proto__ of a stranger's JSON changes nothing.
  for (const [member, value] of Object.entries(members))
    Object.defineProperty(error, member, { value, enumerable: true, configurable: true });
  return error as NetSdkError;
}
