import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import {
  bytesToBase64,
  makeCertificate,
  voteBytes,
  type BlockHeader,
  type FinalityCertificate,
  type FinalityStatement,
  type ValidatorSet,
} from '@netd/protocol';

export interface Signer {
  certify(statement: FinalityStatement, set: ValidatorSet): FinalityCertificate;
}

export class SoloSigner implements Signer {
  readonly validatorId: string;
  private readonly key: KeyObject;

  constructor(validatorId: string, privateKeyPem: string) {
    this.validatorId = validatorId;
    this.key = createPrivateKey(privateKeyPem);
  }

  certify(statement: FinalityStatement, set: ValidatorSet): FinalityCertificate {
    const me = set.validators.find(({ validatorId }) => validatorId === this.validatorId);
    if (!me) throw new Error(`${this.validatorId} is not in the validator set`);
    const signature = sign(null, voteBytes(statement, this.validatorId), this.key);
    return makeCertificate(statement, set, [
      {
        validatorId: this.validatorId,
        votingPower: me.votingPower,
        signature: bytesToBase64(signature),
      },
    ]);
  }
}

export function statementOf(header: BlockHeader, hash: string): FinalityStatement {
  return {
    chainId: header.chainId,
    epoch: header.epoch,
    height: header.height,
    blockHash: hash,
    stateRoot: header.stateRoot,
    validatorSetHash: header.validatorSetHash,
  };
}
