/** Whether the validators of a chain have certified a block: said here for replay, followers, evidence and the stored chain alike. */
import {
  headerFault,
  verifyCertificate,
  type BlockHeader,
  type FinalityCertificate,
} from '@netd/protocol';
import type { ValidatorSetAt } from '../executor/chain-identity.ts';

/**
 * Why the certificate is not one of this header by the validators of its height, or null.
 * @param hash of the header, where it is known
 */
export function certificateFault(
  { header, certificate }: { header: BlockHeader; certificate: FinalityCertificate },
  validatorSetAt: ValidatorSetAt,
  hash?: string,
): string | null {
  const fault = headerFault(certificate, header, hash);
  if (fault !== null) return fault;
  const set = validatorSetAt(header.height);
  const verdict = verifyCertificate(certificate, set, set.validatorSetHash);
  return verdict.ok ? null : `the certificate is not valid: ${verdict.reason}`;
}
