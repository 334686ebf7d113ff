import type { Part } from '@netd/protocol/sentences';
import { Said } from '../ui/said.tsx';
import { Actor, Hash, Net, OrderLink, TokenLink, Units } from './names.tsx';

export function Sentence({
  parts,
  titles,
}: {
  parts: readonly Part[];
  titles?: ReadonlyMap<string, string> | undefined;
}) {
  return (
    <span className="sentence">
      {parts.map((part, at) => (
        <Piece key={at} part={part} titles={titles} />
      ))}
    </span>
  );
}

function Piece({ part, titles }: { part: Part; titles?: ReadonlyMap<string, string> | undefined }) {
  if (typeof part === 'string') return <>{part}</>;
  switch (part.kind) {
    case 'actor':
      return <Actor id={part.id} face={false} />;
    case 'order': {
      return <OrderLink id={part.id} title={titles?.get(part.id)} />;
    }
    case 'token':
      return <TokenLink id={part.id} />;
    case 'said':
      return <Said text={part.text} />;
    case 'net':
      return <Net unet={part.unet} />;
    case 'units':
      return <Units units={part.units} tokenId={part.tokenId} />;
    default:
      return <Hash hash={part.hash} />;
  }
}
