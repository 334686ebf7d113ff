import { UNET_PER_NET } from '@netd/protocol';
import { seedVerifiedOrders } from '../work.ts';
import { faucetPolicy, type RefusalCase } from './case.ts';
import { OPERATOR } from '../test-chain.ts';

export const ACCOUNT_REFUSALS: RefusalCase[] = [
  {
    subject: 'faucet',
    code: 'FAUCET_DISABLED',
    rule: 'a chain may have no faucet',
    policy: faucetPolicy({ enabled: false }),
    provoke: (chain) => chain.intent('alice', 'faucet', { amount: 1 }),
  },
  {
    subject: 'faucet',
    code: 'FAUCET_REQUEST_LIMIT',
    rule: 'one request gets at most 1,000 NET',
    provoke: (chain) => chain.intent('alice', 'faucet', { amount: 1_000 * UNET_PER_NET + 1 }),
  },
  {
    subject: 'faucet',
    code: 'FAUCET_ACCOUNT_LIMIT',
    rule: 'one account gets at most 10,000 NET, ever, however much it works',
    provoke: (chain) => {
      const amount = 1_000 * UNET_PER_NET;
      seedVerifiedOrders(chain, 'alice', 1_000);
      for (let i = 0; i < 10; i++) chain.does('alice', 'faucet', { amount });
      chain.ledger.advance(1, 10 * 86_400_000);
      return chain.intent('alice', 'faucet', { amount: 1 });
    },
  },
  {
    subject: 'faucet',
    code: 'FAUCET_ACCOUNT_LIMIT',
    rule: 'giving the NET away does not renew the share of an account',
    policy: faucetPolicy({ perAccount: 100 }),
    provoke: (chain) => {
      chain.does('alice', 'faucet', { amount: 100 });
      chain.does('alice', 'transfer', { to: 'bob', amount: 100 });
      return chain.intent('alice', 'faucet', { amount: 1 });
    },
  },
  {
    subject: 'faucet',
    code: 'FAUCET_ACCOUNT_LIMIT',
    rule: 'an account without verified work gets 1,000 NET, ever',
    provoke: (chain) => {
      chain.does('alice', 'faucet', { amount: 1_000 * UNET_PER_NET });
      chain.ledger.advance(1, 10 * 86_400_000);
      return chain.intent('alice', 'faucet', { amount: 1 });
    },
  },
  {
    subject: 'faucet',
    code: 'FAUCET_DAILY_LIMIT',
    rule: 'a part of the day is kept for those who have drawn nothing',
    policy: faucetPolicy({ perDay: 100, keptForFirst: 60 }),
    provoke: (chain) => {
      chain.does('alice', 'faucet', { amount: 1 }).does('alice', 'faucet', { amount: 40 });
      return chain.intent('alice', 'faucet', { amount: 1 });
    },
  },
  {
    subject: 'faucet',
    code: 'FAUCET_DAILY_LIMIT',
    rule: 'the faucet pays a share a day',
    policy: faucetPolicy({ perDay: 100 }),
    provoke: (chain) => {
      chain.does('alice', 'faucet', { amount: 60 });
      return chain.intent('bob', 'faucet', { amount: 41 });
    },
  },
  {
    subject: 'faucet',
    code: 'FAUCET_EMPTY',
    rule: 'the faucet never refills',
    provoke: (chain) => {
      const left = chain.record('account', 'net:faucet')?.balance ?? 0;
      const treasury = chain.record('account', 'net:treasury')?.balance ?? 0;
      // As if only 5 unet were left.
      chain.ledger.seed('account', 'net:faucet', {
        accountId: 'net:faucet',
        balance: 5,
        faucetReceived: 0,
      });
      chain.ledger.seed('supply', 'faucet', 5);
      chain.ledger.seed('account', 'net:treasury', {
        accountId: 'net:treasury',
        balance: treasury + left - 5,
        faucetReceived: 0,
      });
      chain.ledger.seed('supply', 'treasury', treasury + left - 5);
      return chain.intent('alice', 'faucet', { amount: 6 });
    },
  },
  {
    subject: 'transfer',
    code: 'RECIPIENT_IS_SENDER',
    rule: 'an actor cannot pay itself',
    provoke: (chain) => chain.intent('alice', 'transfer', { to: 'alice', amount: 1 }),
  },
  {
    subject: 'transfer',
    code: 'RECIPIENT_UNKNOWN',
    rule: 'NET goes to registered actors only',
    provoke: (chain) => {
      chain.does('alice', 'faucet', { amount: 10 });
      return chain.intent('alice', 'transfer', { to: 'nobody', amount: 1 });
    },
  },
  {
    subject: 'transfer',
    code: 'AGENT_RETIRED',
    rule: 'NET cannot go to a retired agent',
    provoke: (chain) => {
      chain.does('alice', 'faucet', { amount: 10 });
      chain.does(OPERATOR, 'setAgentStatus', { agentId: 'bob', status: 'retired' });
      return chain.intent('alice', 'transfer', { to: 'bob', amount: 1 });
    },
  },
  {
    subject: 'transfer',
    code: 'INSUFFICIENT_BALANCE',
    rule: 'an actor cannot pay more than its balance',
    provoke: (chain) => {
      chain.does('alice', 'faucet', { amount: 10 });
      return chain.intent('alice', 'transfer', { to: 'bob', amount: 11 });
    },
  },
];
