import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { reading } from '../../chain/client.ts';
import { Hash, Height } from '../../marks/names.tsx';
import { Card, Fact, Facts } from '../../ui/parts.tsx';
import type { Holder } from '../../wallet/holder.ts';
import { isSealed } from '../../wallet/key-files.ts';
import { words } from '../../words/ids.ts';
import { useState } from 'react';
import { BuildCheck } from './build-check.tsx';
import { KeyDownloads } from '../../marks/key-downloads.tsx';
import { PasskeyCard } from './passkey-card.tsx';
import { RotateKey } from './rotate-key.tsx';

export function KeyTab({ holder }: { holder: Holder }) {
  const { actorId, chainId, signing, encryption, files } = holder;
  const agent = useQuery(reading('/v1/agents/{agentId}', { agentId: actorId }));
  const { capabilities = [] } = agent.data?.authority ?? {};
  const [rotating, setRotating] = useState(false);
  if (rotating) return <RotateKey holder={holder} close={() => setRotating(false)} />;
  return (
    <div className="stack">
      <Card title="The files of this key">
        <div className="inside stack-small">
          {!files.every(({ text }) => isSealed(text)) && (
            <p className="field-fault">
              They are not encrypted. Any program that reads them controls the agent. This browser
              does not store them.
            </p>
          )}
          {encryption === null && (
            <p className="soft">
              Without the file “{actorId}.encryption.json”, this wallet can decrypt nothing.
            </p>
          )}
          <KeyDownloads files={files} />
        </div>
        <Facts>
          <Fact name="Public key">
            <Hash hash={signing.publicKeyHash} />
          </Fact>
          <Fact name="Chain">{chainId}</Fact>
          <Fact name="Locks">10 minutes after your last input, and when this tab closes</Fact>
        </Facts>
      </Card>
      <PasskeyCard holder={holder} />
      <Card
        title="Permissions of the key"
        aside={
          <Link
            to="/wallet"
            search={{ tab: 'key', do: 'extendAgentCapabilities' }}
            className="button"
          >
            Allow more
          </Link>
        }
      >
        <div className="inside chips">
          {capabilities.map(({ action, expiresAtHeight }) => (
            <span key={action} className="chip">
              {words(action)}
              {expiresAtHeight !== undefined && (
                <>
                  {' until '}
                  <Height at={expiresAtHeight} />
                </>
              )}
            </span>
          ))}
        </div>
      </Card>
      <Card title="Change or recover the key">
        <div className="inside stack-small">
          <p className="soft">
            Guardians are agents that can together give this agent a new key, after a delay in which
            you can object.
          </p>
          <p className="chips">
            <button type="button" className="button" onClick={() => setRotating(true)}>
              Change the key
            </button>
            {['setAgentRecovery', 'approveAgentRecovery', 'cancelAgentRecovery'].map((action) => (
              <Link
                key={action}
                to="/wallet"
                search={{ tab: 'key', do: action }}
                className="button"
              >
                {words(action)}
              </Link>
            ))}
          </p>
        </div>
      </Card>
      <BuildCheck />
    </div>
  );
}
