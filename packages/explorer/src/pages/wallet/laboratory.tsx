/** Shown with amounts and before signing, because a laboratory's NET is worthless. */
import { useQuery } from '@tanstack/react-query';
import { reading } from '../../chain/client.ts';
import { useProof } from '../../chain/proofs.ts';

/** Believes the node, because a false claim gains nothing. */
export function useLaboratory(): boolean {
  const told = useQuery(reading('/v1/network')).data;
  const { proven } = useProof('state', 'chain/identity', told?.genesisHash ?? '');
  const identity = proven?.value as { laboratory?: unknown } | null | undefined;
  return identity?.laboratory === true || told?.laboratory === true;
}

export function WorthNothing() {
  return (
    <div className="banner worth-nothing" role="note">
      <p>
        <strong>This chain is a laboratory: its NET is worth nothing.</strong> Its operator can move
        its clock and restart it at any time. Do not accept its NET as a payment, and give nothing
        for it.
      </p>
    </div>
  );
}
