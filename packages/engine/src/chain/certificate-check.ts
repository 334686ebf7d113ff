import {
  headerFault,
  verifyCertificate,
  type BlockHeader,
  type FinalityCertificate,
} from '@netd/protocol';
import type { ValidatorSetAt } from '../executor/chain-identity.ts';

/** Returns why the certificate does not prove this header, or null. */
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
