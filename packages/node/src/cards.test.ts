/** Cards of founders, and the genesis that is made from them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DEVNET_POLICY, validateGenesis } from '@netd/ledger';
import { UNET_PER_NET, type Genesis } from '@netd/protocol';
import { tempDir } from '@netd/testkit/temp-dir';
import {
  beginChainOfMany,
  cardFaults,
  makeOperatorKey,
  makeValidatorKeys,
  readOperatorCard,
  readValidatorCard,
  type OperatorCard,
  type ValidatorCard,
} from './founders.ts';

const NAMES = ['alpha', 'beta', 'gamma'] as const;
const CHAIN = 'net-three-x7k3m9qa';
const NET = UNET_PER_NET;

type Facts = Parameters<typeof makeValidatorKeys>[1];

class Desk {
  readonly home: string;

  constructor(t: Parameters<typeof tempDir>[0]) {
    this.home = tempDir(t);
  }

  at(name: string): string {
    return join(this.home, name);
  }

  /** Makes the keys of a founder, and writes the card. */
  card(name: string, more: Partial<Facts> = {}, folder: string = name): ValidatorCard {
    const address = `${name}.example:26656`;
    const facts = { chainId: CHAIN, validatorId: name, faultDomain: name, address, ...more };
    return this.write(name, makeValidatorKeys(this.at(folder), facts));
  }

  operator(): OperatorCard {
    return this.write('operator', makeOperatorKey(this.at('operator'), CHAIN, 'olga'));
  }

  write<Card extends object>(name: string, card: Card): Card {
    writeFileSync(this.at(`${name}.json`), JSON.stringify(card));
    return card;
  }

  begin(names: readonly string[] = NAMES): Genesis {
    const cards = names.map((name) => readValidatorCard(this.at(`${name}.json`)));
    const operator = readOperatorCard(this.at('operator.json'));
    const set = { termHeights: 7 };
    return beginChainOfMany(this.at('desk'), cards, { now: Date.now(), operator, set });
  }
}

function founded(t: Parameters<typeof tempDir>[0]): Desk {
  const desk = new Desk(t);
  for (const name of NAMES) desk.card(name);
  desk.operator();
  return desk;
}

/** Making keys takes a while, so most tests share this desk. None of them makes a genesis in it. */
const shared = founded({ after });

describe('a genesis of cards', () => {
  it('names owners, bonds of the treasury, and terms, and holds no private key', (t) => {
    const desk = founded(t);
    desk.card('beta', { bond: 3_000 * NET });
    const genesis = desk.begin();
    assert.equal(validateGenesis(genesis), null);
    assert.deepEqual(
      genesis.validators.map(({ validatorId, votingPower }) => [validatorId, votingPower]),
      [
        ['alpha', 1_000],
        ['beta', 3_000],
        ['gamma', 1_000],
      ],
    );
    assert.equal(genesis.policy.validatorSet?.termHeights, 7);
    const bonds = genesis.accounts.find(({ accountId }) => accountId === 'net:bonds');
    assert.equal(bonds?.balance, 5_000 * NET);
    assert.deepEqual(
      genesis.operators.map(({ actorId }) => actorId),
      ['olga'],
    );
    // The desk has no key of a validator or of the operator.
    assert.ok(!existsSync(desk.at('desk/keys')));
    const seen = ['desk/genesis.json', 'alpha.json', 'operator.json'];
    for (const file of seen) assert.doesNotMatch(readFileSync(desk.at(file), 'utf8'), /PRIVATE/);
  });

  it('agrees with its cards, and names the member that differs from a changed card', (t) => {
    const desk = founded(t);
    const genesis = desk.begin();
    for (const name of NAMES) {
      assert.deepEqual(cardFaults(genesis, readValidatorCard(desk.at(`${name}.json`)).card), []);
    }
    assert.deepEqual(cardFaults(genesis, desk.operator()), []);
    const { card } = readValidatorCard(desk.at('alpha.json'));
    for (const [member, changed] of Object.entries({
      chainId: 'net-other',
      validatorId: 'delta',
      consensusPublicKey: 'another',
      ownerPublicKey: 'another',
      bond: 1,
      faultDomain: 'elsewhere',
    })) {
      const faults = cardFaults(genesis, { ...card, [member]: changed });
      assert.match(faults[0] ?? '', new RegExp(`^${member}: the genesis has`));
    }
    const { owners: _, ...fixed } = genesis;
    assert.match(cardFaults(fixed, card)[0] ?? '', /^ownerPublicKey: the genesis has none/);
  });

  const refusals: [name: string, spoil: (desk: Desk) => void, refusal: RegExp][] = [
    [
      'a changed member',
      (desk) => desk.write('beta', { ...desk.card('beta'), faultDomain: 'moon' }),
      /beta\.json: consensusSignature does not verify/,
    ],
    [
      'an owner who has not signed',
      (desk) => {
        const { ownerPublicKey } = desk.card('alpha');
        desk.write('beta', { ...desk.card('beta'), ownerPublicKey });
      },
      /beta\.json: consensusSignature does not verify/,
    ],
    [
      'a signature of another owner',
      (desk) => {
        const { ownerSignature } = desk.card('alpha');
        desk.write('beta', { ...desk.card('beta'), ownerSignature });
      },
      /beta\.json: ownerSignature does not verify/,
    ],
    [
      'a card of another chain',
      (desk) => desk.card('beta', { chainId: 'net-other' }, 'beta-2'),
      /beta\.json: chainId is net-other, and that of .*operator\.json is net-three/,
    ],
    [
      'the same card twice',
      (desk) => desk.write('beta', desk.card('alpha')),
      /beta\.json: validatorId is in .*alpha\.json \(validatorId\) too/,
    ],
    [
      'two validators at one address',
      (desk) => desk.card('beta', { address: 'alpha.example:26656' }),
      /beta\.json: peer is in .*alpha\.json \(peer\) too/,
    ],
    [
      'a bond below the least',
      (desk) => desk.card('beta', { bond: 5 * NET }),
      /beta\.json: bond is 5 NET, and a validator needs 1000 NET/,
    ],
    [
      'a bond of half a NET',
      (desk) => desk.card('beta', { bond: 1_500 * NET + 1 }),
      /beta\.json: bond is not a whole number of NET/,
    ],
    [
      'bonds beyond the treasury',
      (desk) => desk.card('gamma', { bond: 2 ** 53 - 1 - ((2 ** 53 - 1) % NET) }),
      /gamma\.json: bond and those before it are more than the treasury has/,
    ],
    [
      'a card of an earlier version',
      (desk) => desk.write('beta', { ...desk.card('beta'), schema: 'NET-VALIDATOR-CARD/1' }),
      /beta\.json: schema is "NET-VALIDATOR-CARD\/1".* run it again/,
    ],
    [
      'an unknown member',
      (desk) => desk.write('beta', { ...desk.card('beta'), votes: 9 }),
      /beta\.json: .*votes/,
    ],
    [
      'a card of an operator',
      (desk) => desk.write('beta', desk.operator()),
      /name it with --operator/,
    ],
    ['a missing file', (desk) => desk.begin(['alpha', 'zeta']), /there is no .*zeta\.json/],
    [
      'no JSON',
      (desk) => writeFileSync(desk.at('beta.json'), '{"schema'),
      /beta\.json is not JSON/,
    ],
  ];
  for (const [name, spoil, refusal] of refusals) {
    it(`refuses ${name}`, () => {
      for (const one of NAMES) shared.card(one);
      assert.throws(() => {
        spoil(shared);
        shared.begin();
      }, refusal);
      assert.ok(!existsSync(shared.at('desk/genesis.json')));
    });
  }

  it('has the least bond of the policy by default', () => {
    assert.equal(shared.card('alpha').bond, DEVNET_POLICY.operators.minimumBonds.validator);
  });
});
