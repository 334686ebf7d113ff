import { makeValidatorSet, sha256Hex, type JsonObject, type ValidatorSetChange } from '@netd/protocol';
import { goldenChainOf, GOLDEN_PLAYS, setChangeOf, type GoldenBlock } from '@netd/ledger/testing';

/** The changes of the golden chain `validators`, and forgeries of them. */
export function setChanges(): unknown {
  const { genesis, blocks } = goldenChainOf(GOLDEN_PLAYS.validators().ledger);
  const changes = blocks.flatMap((block) => (block.validatorSet ? [setChangeOf(block)] : []));
  const [first, second] = changes as [ValidatorSetChange, ValidatorSetChange];
  const later = blocks.at(-1) as GoldenBlock;
  const forged = makeValidatorSet(genesis.chainId, genesis.epoch, first.validatorSet.validators.slice(1));
  const wrong = sha256Hex('wrong');
  const data = (members: JsonObject): JsonObject => ({
    event: { ...first.event, data: { ...first.event.data, ...members } },
  });
  return {
    description:
      'Changes of a set of validators. valid: from the set of genesis on, each follows from the one before. invalid: the members of change replace those of the first one, which must not follow from the set of genesis then. last: a block of the last set, which no earlier one has certified.',
    validatorSet: makeValidatorSet(genesis.chainId, genesis.epoch, genesis.validators),
    valid: changes,
    invalid: [
      { name: 'another set than the event names', change: { validatorSet: forged } },
      {
        name: 'another set, named by a forged event',
        change: { validatorSet: forged, ...data({ validatorSetHash: forged.validatorSetHash }) },
      },
      { name: 'an event that is not in the block', change: data({ height: 1_000 }) },
      { name: 'an event of another type', change: { event: { ...first.event, type: 'Other' } } },
      { name: 'another first height', change: { fromHeight: first.fromHeight + 1 } },
      { name: 'a proof of another event', change: { proof: { ...first.proof, index: first.proof.index + 1 } } },
      { name: 'a header of another time', change: { header: { ...first.header, timestamp: '2026-01-01T00:00:00.001Z' } } },
      { name: 'a certificate of another block', change: { certificate: second.certificate } },
      { name: 'a change that follows a later one', change: { ...second } },
      { name: 'a set that contradicts itself', change: { validatorSet: { ...first.validatorSet, quorum: 1 } } },
      {
        name: 'too few of the known set have signed',
        change: { certificate: { ...first.certificate, votes: first.certificate.votes.slice(0, 2) } },
      },
      { name: 'a header of another chain', change: { header: { ...first.header, chainId: 'net-other-1' } } },
      { name: 'a header of another set', change: { header: { ...first.header, validatorSetHash: wrong } } },
      { name: 'nothing in place of a header', change: { header: null } },
    ],
    last: { header: later.header, certificate: later.certificate },
  };
}
