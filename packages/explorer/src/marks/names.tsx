import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { reading } from '../chain/client.ts';
import { useNow } from '../chain/clock.ts';
import { useTimeOf } from '../chain/times.ts';
import { count, decimal, exactNet, shortNet } from '../words/amount.ts';
import { faceOf, facePath } from '../words/face.ts';
import { LONGEST_ID, shortHash, shortId } from '../words/ids.ts';
import { ago, exactTime, tick } from '../words/time.ts';
import { readsAsNet, tellApart } from '../words/look-alike.ts';
import { Copy } from '../ui/copy.tsx';
import { NameWarnings, useOthers } from './likeness.tsx';
import { Said } from '../ui/said.tsx';

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

export function Actor({
  id,
  face = true,
  size = 20,
}: {
  id: string;
  face?: boolean;
  size?: number;
}) {
  return (
    <>
      <Link
        to="/agents/$agentId"
        params={{ agentId: id }}
        className="actor"
        title={id}
        data-cell={id}
      >
        {face && <Face id={id} size={size} />}
        <span>
          <ShortId id={id} />
        </span>
      </Link>
      <NameWarnings kind="agent" id={id} />
    </>
  );
}

export function OrderLink({ id, title }: { id: string; title?: string | undefined }) {
  return (
    <>
      <Link to="/work/$orderId" params={{ orderId: id }} title={id}>
        {title === undefined ? <ShortId id={id} /> : <Said text={title} />}
      </Link>
      {title === undefined && <NameWarnings kind="order" id={id} />}
    </>
  );
}

/**
 * Shows the id instead of a name that reads as NET, so that an amount beside it is not taken for NET.
 * @param name chosen by the token's creator; not unique
 */
export function TokenLink({ id, name = id }: { id: string; name?: string | undefined }) {
  return (
    <>
      <Link to="/tokens/$tokenId" params={{ tokenId: id }} title={id}>
        {readsAsNet(name) ? id : <Said text={name} />}
      </Link>
      {readsAsNet(name) ? <ImitatesNet /> : <NameWarnings kind="token" id={id} name={name} />}
    </>
  );
}

/** Marks a symbol that imitates NET, or another token's symbol. */
export function TokenSymbol({ symbol, id }: { symbol: string; id: string }) {
  return readsAsNet(symbol) ? (
    <>
      <span className="mono">{id}</span> <ImitatesNet />
    </>
  ) : (
    <>
      <Said text={symbol} />
      <NameWarnings kind="symbol" id={id} name={symbol} />
    </>
  );
}

/** Shows an amount with its unit, which never reads as NET. */
export function TokenAmount({
  units,
  token: { tokenId, symbol, decimals },
}: {
  units: number;
  token: { tokenId: string; symbol: string; decimals: number };
}) {
  return (
    <span className="number">
      {decimal(units, decimals)}{' '}
      <small>{readsAsNet(symbol) ? tokenId : <Said text={symbol} />}</small>
    </span>
  );
}

export function ImitatesNet() {
  return (
    <>
      {' '}
      <span className="chip" data-tone="warn">
        a token that imitates NET
      </span>
    </>
  );
}

/** Shortens an id, but keeps it distinct from others that this tab has shown. */
function ShortId({ id }: { id: string }) {
  return <>{tellApart(id, useOthers('shortened', id), shortId, LONGEST_ID)}</>;
}

/** Requests the block's time only once the reader points at it. */
export function Height({ at }: { at: number }) {
  const [isPointedAt, setPointedAt] = useState(false);
  const made = useTimeOf(at, isPointedAt);
  const point = (): void => setPointedAt(true);
  return (
    <Link
      to="/blocks/$height"
      params={{ height: String(at) }}
      className="height"
      data-cell={` ${at}`}
      title={`Block ${at}${made === null ? '' : `, made ${exactTime(made)}`}`}
      onMouseEnter={point}
      onFocus={point}
    >
      #{at.toLocaleString('en')}
    </Link>
  );
}

export function When({ at }: { at: number }) {
  return (
    <span className="when">
      <Time at={useTimeOf(at)} from="unverified" />
      <Height at={at} />
    </span>
  );
}

/** @param short rounds; the tooltip has all digits */
export function Net({ unet, short = false }: { unet: number; short?: boolean }) {
  const exact = `${exactNet(unet)} NET, the token of this devnet, without monetary value`;
  return (
    <span className="net" title={exact} data-cell={`${exactNet(unet)} NET`}>
      {short ? shortNet(unet) : exactNet(unet)} <small>NET</small>
    </span>
  );
}

/** Shows an amount in decimals, or in smallest units if the decimals are unknown. */
export function Units({ units, tokenId }: { units: number; tokenId: string }) {
  const { data, isError } = useQuery(reading('/v1/tokens/{tokenId}', { tokenId }, 'held'));
  if (data) return <span className="number">{decimal(units, data.token.decimals)}</span>;
  return isError ? <>{count(units)} smallest units</> : <>…</>;
}

export function ShortHash({ hash, keep = 8 }: { hash: string; keep?: number | undefined }) {
  return <>{tellApart(hash, useOthers('hash', hash), shortHash, keep)}</>;
}

export function Hash({ hash, to, keep }: { hash: string; to?: string; keep?: number }) {
  const short = <ShortHash hash={hash} keep={keep} />;
  return (
    <span className="hash" data-cell={hash}>
      {to === undefined ? (
        <span title={hash}>{short}</span>
      ) : (
        <Link to="/transitions/$hash" params={{ hash: to }} title={hash}>
          {short}
        </Link>
      )}
      <Copy text={hash} what="hash" />
      <NameWarnings kind="hash" id={hash} />
    </span>
  );
}

export function TransitionLink({ hash }: { hash: string }) {
  return <Hash hash={hash} to={hash} />;
}

/**
 * Shows a relative time that updates itself. The tooltip has the exact time.
 * @param from source of the time, in words
 */
export function Time({ at, from }: { at: number | string | null; from?: string }) {
  const time = typeof at === 'number' ? at : at === null ? NaN : Date.parse(at);
  const now = useNow((drawnAt) => tick(time, drawnAt));
  if (Number.isNaN(time)) return null;
  return (
    // Browser translation would replace the text, and then updates would be lost.
    <time
      translate="no"
      dateTime={new Date(time).toISOString()}
      title={exactTime(time) + (from === undefined ? '' : `, ${from}`)}
    >
      {ago(time, now)}
    </time>
  );
}
