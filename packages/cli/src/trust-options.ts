import { readFileSync } from 'node:fs';
import type { AnchorBlock } from '@netd/sync';
import { compileSchema, makeValidatorSet, ValidatorSet } from '@netd/protocol';
import { InvalidArgumentError } from 'commander';

const violations = compileSchema(ValidatorSet);

export function trustedBlock(text: string): AnchorBlock {
  const [, height = '', blockHash = ''] = /^(\d{1,15}):([a-f0-9]{64})$/.exec(text) ?? [];
  if (blockHash === '') {
    throw new InvalidArgumentError('A height, a colon, and the 64 hex digits of a block hash.');
  }
  return { height: Number(height), blockHash };
}

/** Returns a validator set's hash, given as hash or as file with a NET-VALIDATOR-SET/1 document. */
export function trustedValidators(text: string): string {
  if (/^[a-f0-9]{64}$/.test(text)) return text;
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(text, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidArgumentError(
      code === 'ENOENT'
        ? 'A file with a NET-VALIDATOR-SET/1 document, or the 64 hex digits of its hash.'
        : `The file cannot be read as JSON (${(error as Error).message}).`,
    );
  }
  if (violations(document) !== null) {
    throw new InvalidArgumentError('The file holds no NET-VALIDATOR-SET/1 document.');
  }
  const { chainId, epoch, validators, validatorSetHash } = document as ValidatorSet;
  if (makeValidatorSet(chainId, epoch, validators).validatorSetHash !== validatorSetHash) {
    throw new InvalidArgumentError(
      'The validators in the file do not hash to its validatorSetHash.',
    );
  }
  return validatorSetHash;
}
