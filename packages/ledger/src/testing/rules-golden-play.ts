/** A chain that crosses from version 1 of the rules to version 2, with every kind of transition on both sides. */
import { FREE_NAMES, UNET_PER_NET } from '@netd/protocol';
import { checkpointOf, testKey } from '@netd/protocol/testing';
import { DEVNET_POLICY } from '../genesis.ts';
import type { Observation } from '../observations.ts';
import { accepted } from './expectations.ts';
import { announcement, decided, scheduled } from './rules.ts';
import { playContests, RESOLVE_WITHIN } from './rules-contest-play.ts';
import { playWork } from './rules-work-play.ts';
import { grantOf } from './sessions.ts';
import { OPERATOR, type TestChain } from './test-chain.ts';
import { changingChain, founder, FOUNDERS, jail, nextTerm } from './validators.ts';

export function playRulesGoldenChain(): TestChain {
  const chain = changingChain({
    chainId: 'net-golden-rules-1',
    founders: [...FOUNDERS, 'val-e'].map((validatorId) => founder(validatorId)),
    open: true,
    policy: {
      governance: { ...DEVNET_POLICY.governance, timelock: { heights: 2, milliseconds: 1_000 } },
      work: { ...DEVNET_POLICY.work, resolveWithin: RESOLVE_WITHIN },
    },
  });
  everyKind(chain, { agent: 'alice', human: 'hans' });
  // Reserved from version 2 on; its holder keeps it.
  chain.join(['verifier-1'], ['transfer']);
  nextTerm(jail(chain, 'val-d')).block([], 3_000);
  chain.does('val-d', 'unjailValidator', { validatorId: 'val-d' });
  jail(nextTerm(chain), 'val-d').block([], 100, [doubleSigned('val-e')]);
  scheduled(chain).does(OPERATOR, 'cancelRules', { version: 2 });
  abandoned(scheduled(chain));
  scheduled(chain, { height: chain.height + 6, policy: { names: NAMES } });
  for (const validatorId of FOUNDERS.slice(0, 3)) {
    chain.does(validatorId, 'announceRules', announcement(validatorId));
  }
  decided(chain).block([]);
  const genesisHash = chain.record('chain', 'identity')?.genesisHash ?? '';
  everyKind(chain, { agent: 'anna', human: 'hedy', named: { genesisHash } });
  playWork(chain);
  playNames(chain);
  playContests(chain);
  scheduled(chain, { version: 3 });
  chain.does('val-a', 'announceRules', announcement('val-a', { version: 3 }));
  chain.does('val-a', 'announceRules', announcement('val-a', { version: 3, withdraw: true }));
  chain.does(OPERATOR, 'cancelRules', { version: 3 });
  abandoned(scheduled(chain, { version: 3 }));
  chain.fund('verifier-1', 5).does('verifier-1', 'transfer', { to: 'anna', amount: 5 });
  chain.does('val-d', 'unjailValidator', { validatorId: 'val-d' });
  jail(nextTerm(chain), 'val-c').block([], 100, [doubleSigned('val-c')]);
  return nextTerm(chain);
}

/** Names stay free, and a sponsor can hold one. */
const NAMES = { ...FREE_NAMES, deposit: UNET_PER_NET };

function playNames(chain: TestChain): void {
  const { publicKeyHash } = testKey('nina');
  const [actorId, sponsor] = ['nina', 'rosa'];
  const actions = ['sponsorName', 'withdrawNameDeposit'];
  chain.does(sponsor, 'extendAgentCapabilities', { agentId: sponsor, actions });
  chain.does(sponsor, 'sponsorName', { actorId, publicKeyHash, deposit: UNET_PER_NET });
  chain.join([actorId]).does(sponsor, 'withdrawNameDeposit', { actorId });
}

const doubleSigned = (validatorId: string): Observation => ({
  kind: 'slashDoubleSigner',
  subject: `${validatorId}/DUPLICATE_VOTE/5`,
});

/** No validator is ready: three postponements, then the end. */
function abandoned(chain: TestChain): void {
  while (chain.record('rules-schedule', 'next')) chain.block([], 500);
}

/** @param how.named what version 2 lets envelopes name */
function everyKind(
  chain: TestChain,
  how: { agent: string; human: string; named?: { genesisHash: string } },
): void {
  const { agent, human, named = {} } = how;
  accepted(chain.register(agent, { extra: named }));
  const actions = ['faucet', 'transfer'];
  chain.does(agent, 'extendAgentCapabilities', { agentId: agent, actions }, { extra: named });
  chain.does(agent, 'faucet', { amount: 10 * UNET_PER_NET }, { extra: named });
  accepted(chain.submit(chain.application(human, 'HUMAN', named)));
  const invitationId = chain.record('application', `app-${human}-HUMAN`)?.invitationId ?? '';
  accepted(chain.submit(chain.claim(human, invitationId, named)));
  const checkpoint = checkpointOf(agent, 1);
  accepted(chain.submit(chain.openTransition(agent, 'commitMemoryCheckpoint', checkpoint)));
  accepted(chain.submit(grantOf(chain, agent, 's-1', { named })));
  accepted(chain.submit(chain.rotation(agent, testKey(`${agent} 2`), { extra: named }, named)));
  chain.keys.set(agent, testKey(`${agent} 2`));
}
