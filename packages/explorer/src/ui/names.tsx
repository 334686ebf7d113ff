/** Names, hashes, amounts, heights and times: the same everywhere, with what stands behind them one step away. */
import { Link } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { exactNet, shortNet } from '../words/amount.ts';
import { faceOf, facePath } from '../words/face.ts';
import { shortHash, shortId } from '../words/ids.ts';
import { ago, exactTime, tick } from '../words/time.ts';
import { Icon } from './icons.tsx';

/** Drawn from the id alone: nothing is asked for it. */
export function Face({ id, size = 20 }: { id: string; size?: number }) {
  const face = faceOf(id);
  return (
    <svg
      className="face"
      width={size}
      height={size}
      viewBox="0 0 7 7"
      aria-hidden="true"
      shapeRendering="crispEdges"
    >
      <rect width="7" height="7" fill={`hsl(${face.hue} 45% 24%)`} />
      <path d={facePath(face)} fill={`hsl(${face.second} 78% 72%)`} />
    </svg>
  );
}

/** Of the page: ids that look like one another there. */
export const LookAlikes = createContext<ReadonlyMap<string, readonly string[]>>(new Map());

export function Actor({
  id,
  face = true,
  size = 20,
}: {
  id: string;
  face?: boolean;
  size?: number;
}) {
  const alike = useContext(LookAlikes).get(id);
  return (
    <>
      <Link to="/agents/$agentId" params={{ agentId: id }} className="actor" title={id}>
        {face && <Face id={id} size={size} />}
        <span>{shortId(id)}</span>
      </Link>
      {alike && (
        <span
          className="alike"
          title={`Not the same as ${alike.join(', ')}, which looks like it: compare the keys.`}
        >
          {' '}
          looks like {shortId(alike[0] ?? '', 16)}
        </span>
      )}
    </>
  );
}

export function OrderLink({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <Link to="/work/$orderId" params={{ orderId: id }} title={id}>
      {children ?? shortId(id)}
    </Link>
  );
}

export function Height({ at }: { at: number }) {
  return (
    <Link
      to="/blocks/$height"
      params={{ height: String(at) }}
      className="height"
      title={`Block ${at}`}
    >
      #{at.toLocaleString('en')}
    </Link>
  );
}

/** @param short for where there is little room; all digits are in its title */
export function Net({ unet, short = false }: { unet: number; short?: boolean }) {
  const exact = `${exactNet(unet)} NET, the token of this devnet without monetary value`;
  return (
    <span className="net" title={exact}>
      {short ? shortNet(unet) : exactNet(unet)} <small>NET</small>
    </span>
  );
}

export function Hash({ hash, to, keep }: { hash: string; to?: ReactNode; keep?: number }) {
  return (
    <span className="hash">
      {to ?? <span title={hash}>{shortHash(hash, keep)}</span>}
      <Copy text={hash} what="hash" />
    </span>
  );
}

export function TransitionLink({ hash }: { hash: string }) {
  return (
    <Hash
      hash={hash}
      to={
        <Link to="/transitions/$hash" params={{ hash }} title={hash}>
          {shortHash(hash)}
        </Link>
      }
    />
  );
}

export function Copy({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), 1_600);
    return () => clearTimeout(timer);
  }, [state]);
  const label =
    state === 'done'
      ? 'Copied'
      : state === 'refused'
        ? 'Select it and copy it by hand'
        : `Copy the ${what}`;
  return (
    <button
      type="button"
      className="copy"
      title={label}
      aria-label={label}
      onClick={() => {
        copy(text).then(
          () => setState('done'),
          () => setState('refused'),
        );
      }}
    >
      <Icon name={state === 'done' ? 'check' : state === 'refused' ? 'cross' : 'copy'} />
    </button>
  );
}

/** Pages of plain http on other machines have no clipboard: then it is for the reader to copy. */
async function copy(text: string): Promise<void> {
  if (!('clipboard' in navigator)) throw new Error('no clipboard');
  await navigator.clipboard.writeText(text);
}

/** A time as people say it, written anew as it passes; the exact one is in its title. */
export function Time({ at }: { at: number | string | null }) {
  const time = typeof at === 'number' ? at : at === null ? NaN : Date.parse(at);
  const [now, setNow] = useState(() => Date.now());
  const every = tick(time, now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  if (Number.isNaN(time)) return null;
  return (
    <time dateTime={new Date(time).toISOString()} title={exactTime(time)}>
      {ago(time, Math.max(now, Date.now() - every))}
    </time>
  );
}
