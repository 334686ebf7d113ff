/** What happened, in words, with its names and amounts as such. */
import { Link } from '@tanstack/react-router';
import type { Part } from '../words/events.ts';
import { Actor, Hash, Net, OrderLink } from './names.tsx';

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
      const title = titles?.get(part.id);
      return <OrderLink id={part.id}>{title}</OrderLink>;
    }
    case 'token':
      return (
        <Link to="/tokens/$tokenId" params={{ tokenId: part.id }}>
          {part.id}
        </Link>
      );
    case 'net':
      return <Net unet={part.unet} />;
    default:
      return <Hash hash={part.hash} />;
  }
}
