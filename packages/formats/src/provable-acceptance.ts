/** NET-ACCEPTANCE/1: the conditions of a scope alone, so that proving a verdict reveals no instructions or inputs. */
import { bytesToBase64, Hash, MAX_PROOF_BYTES, sha256Hex, utf8Bytes } from '@netd/protocol';
import { Type, type Static } from '@netd/protocol/type';
import { defineFormat, type Blob } from './document.ts';
import { workScope, WorkScope } from './work-scope.ts';

export const ProvableAcceptance = Type.Object(
  {
    schema: Type.Literal('NET-ACCEPTANCE/1'),
    salt: Type.String({
      ...Hash,
      description: 'Of the whole scope, so that nobody can guess the conditions.',
    }),
    acceptance: WorkScope.properties.acceptance,
  },
  {
    title: 'ProvableAcceptance',
    additionalProperties: false,
    description: 'The conditions of a scope, as acceptanceHash of an order names them.',
  },
);

const format = defineFormat<typeof ProvableAcceptance>(ProvableAcceptance);

/**
 * Returns the only NET-ACCEPTANCE/1 of a scope. A worker refuses an order with another acceptanceHash, because
 * its requester could prove other conditions unmet.
 * @throws FormatError if the scope breaks a rule
 */
export function provableAcceptance(scope: WorkScope): Blob {
  const { bytes } = workScope.make(scope);
  const salt = sha256Hex(new Uint8Array([...utf8Bytes('NET-ACCEPTANCE/1\n'), ...bytes]));
  const document: Static<typeof ProvableAcceptance> = {
    schema: 'NET-ACCEPTANCE/1',
    salt,
    acceptance: scope.acceptance,
  };
  return format.make(document);
}

/** Characters of the longest string in a payload. */
const PIECE = 2_048;

const pieces = (bytes: Uint8Array): string[] =>
  bytesToBase64(bytes).match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? [];

/**
 * Returns the members of a proveVerdict without the orderId. Without the result, a proof can only show that
 * another sha256 was asked for.
 * @returns null if the acceptance is too long for any proof
 */
export function proofOf(
  scope: WorkScope,
  result: Uint8Array,
): { acceptance: string[]; result?: string[] } | null {
  const { bytes } = provableAcceptance(scope);
  if (bytes.length > MAX_PROOF_BYTES) return null;
  const fits = bytes.length + result.length <= MAX_PROOF_BYTES;
  return { acceptance: pieces(bytes), ...(fits ? { result: pieces(result) } : {}) };
}
