import { compareEventIds } from '@netd/protocol';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useMedia } from '../../ui/media.ts';
import { Face } from '../../marks/names.tsx';
import { shortNet } from '../../words/amount.ts';
import { shortId } from '../../words/ids.ts';
import {
  layoutOf,
  lineWidth,
  moveOf,
  nameOf,
  partyWords,
  pathOf,
  type Layout,
  type Move,
  type Party,
  type Picture,
  type Point,
  type Role,
  type Spot,
} from '../../words/picture.ts';
import type { ChainEvent } from '../../words/stream.ts';

const NODE = 17;
/** Milliseconds between dots of events that arrived together. */
const APART = 90;
/** Number of moving dots at a time. */
const MOST_DOTS = 24;

interface Placed {
  role: Role;
  party: Party;
  point: Point;
}

/** @param escrow unet, or null if only the newest height has it */
export function MoneyPicture({
  picture,
  events,
  ready,
  escrow,
}: {
  picture: Picture;
  events: readonly ChainEvent[];
  ready: boolean;
  escrow: number | null;
}) {
  const isWide = useMedia('(min-width: 760px)');
  const layout = useMemo(() => layoutOf(isWide), [isWide]);
  const placed = useMemo((): Placed[] => {
    const { requesters, workers, jurors } = picture;
    const of = (role: Role, parties: readonly Party[]): Placed[] =>
      parties.map((party, at) => ({ role, party, point: layout.places(role, at, parties.length) }));
    return [...of('requester', requesters), ...of('worker', workers), ...of('juror', jurors)];
  }, [picture, layout]);
  const isEmpty = ready && placed.length === 0;
  const { width, height, network } = layout;
  return (
    <svg
      className="money-picture"
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label="Requesters lock NET in escrow, juries vote, workers are paid"
      aria-busy={ready ? undefined : true}
    >
      {isEmpty && <FirstSteps layout={layout} isWide={isWide} />}
      {ready && !isEmpty && <Missing placed={placed} layout={layout} />}
      <Lines placed={placed} layout={layout} />
      <Dots events={events} ready={ready} placed={placed} layout={layout} />
      {placed.map((one) => (
        <Node
          key={`${one.role} ${one.party.id}`}
          {...one}
          middle={layout.escrow.x}
          isWide={isWide}
        />
      ))}
      <Escrow layout={layout} unet={escrow} />
      {placed.length > 0 && <RoleNames placed={placed} layout={layout} isWide={isWide} />}
      {!isEmpty && (
        <>
          <text className="quiet" x={network.x} y={network.y + 26} textAnchor="middle">
            Other activity
          </text>
          <circle className="network-spot" cx={network.x} cy={network.y} r="6" aria-hidden="true" />
        </>
      )}
    </svg>
  );
}

/** The ends of a party's line, from the party to the escrow. */
function endsOf(role: Role, { x, y }: Point, { escrow }: Layout): [Point, Point] {
  if (role === 'requester')
    return [
      { x: x + NODE, y },
      { x: escrow.x - escrow.radius, y: escrow.y },
    ];
  if (role === 'worker')
    return [
      { x: x - NODE, y },
      { x: escrow.x + escrow.radius, y: escrow.y },
    ];
  const angle = Math.atan2(y - escrow.y, x - escrow.x);
  const edge = (radius: number, from: Point): Point => ({
    x: from.x + radius * Math.cos(angle),
    y: from.y + radius * Math.sin(angle),
  });
  return [edge(-NODE, { x, y }), edge(escrow.radius, escrow)];
}

function Lines({ placed, layout }: { placed: readonly Placed[]; layout: Layout }) {
  const most = Math.max(...placed.map(({ party }) => Math.max(party.unet, party.refused)), 0);
  const votes = Math.max(
    ...placed.map(({ role, party }) => (role === 'juror' ? party.times : 0)),
    1,
  );
  return (
    <g aria-hidden="true" fill="none">
      {placed.map(({ role, party, point }) => {
        const path = pathOf(role, ...endsOf(role, point, layout));
        const key = `${role} ${party.id}`;
        const wide = role === 'juror' ? 1 + (3 * party.times) / votes : lineWidth(party.unet, most);
        return (
          <g key={key} className={`line-${role}`}>
            {wide > 0 && <path d={path} strokeWidth={wide} />}
            {party.refused > 0 && (
              <path className="refused" d={path} strokeWidth={lineWidth(party.refused, most) / 3} />
            )}
          </g>
        );
      })}
    </g>
  );
}

function Node({
  role,
  party,
  point: { x, y },
  middle,
  isWide,
}: Placed & { middle: number; isWide: boolean }) {
  const words = partyWords(role, party);
  const name = nameOf(party);
  const isJuror = role === 'juror';
  const isNamed = isWide || !isJuror;
  // Names of jurors stand on the outer side of their arc, the others beside or below their node.
  const side =
    role === 'requester' ? -1 : role === 'worker' ? 1 : Math.sign(Math.round(x - middle));
  const label = isJuror
    ? { x: x + side * 4, y: y - NODE - 8 }
    : isWide
      ? { x: x + side * (NODE + 10), y: y - 2 }
      : { x: x + side * NODE, y: y + NODE + 14 };
  const towards = isWide || isJuror ? side : -side;
  const anchor = towards < 0 ? 'end' : towards > 0 ? 'start' : 'middle';
  const content: ReactNode = (
    <>
      {party.id === null ? (
        <circle className="node-others" cx={x} cy={y} r={NODE} />
      ) : (
        <g className="node-face" transform={`translate(${x - NODE} ${y - NODE})`}>
          <Face id={party.id} size={2 * NODE} />
        </g>
      )}
      {isNamed && (
        <text x={label.x} y={label.y} textAnchor={anchor} className="name">
          {shortId(name, isJuror ? 16 : isWide ? 20 : 14)}
          {isJuror && <tspan className="quiet"> {words}</tspan>}
        </text>
      )}
      {!isJuror && (
        <text y={label.y + 1} textAnchor={anchor} className="quiet">
          {words.map((line) => (
            <tspan key={line} x={label.x} dy="15">
              {line}
            </tspan>
          ))}
        </text>
      )}
    </>
  );
  const says = `${name}, ${role}: ${words.join(', ')}`;
  if (party.id === null)
    return (
      <g role="img" aria-label={says}>
        {content}
      </g>
    );
  return (
    <Link to="/agents/$agentId" params={{ agentId: party.id }}>
      <title>{says}</title>
      {content}
    </Link>
  );
}

const ROLE_NAMES = { requester: 'Requesters', juror: 'Jury', worker: 'Workers' } as const;

/** Names each role above its highest party. */
function RoleNames({
  placed,
  layout,
  isWide,
}: {
  placed: readonly Placed[];
  layout: Layout;
  isWide: boolean;
}) {
  return Object.entries(ROLE_NAMES).map(([role, name]) => {
    const points = placed.filter((one) => one.role === role).map(({ point }) => point);
    const [first] = points;
    if (first === undefined) return null;
    const isJury = role === 'juror';
    const x = isJury ? layout.escrow.x : first.x;
    const y = Math.min(...points.map((point) => point.y)) - NODE - (isJury && isWide ? 28 : 12);
    const side = isJury || isWide ? 'middle' : role === 'requester' ? 'start' : 'end';
    const edge = side === 'start' ? -NODE : side === 'end' ? NODE : 0;
    return (
      <text key={role} className="quiet" x={x + edge} y={y} textAnchor={side} aria-hidden="true">
        {name}
      </text>
    );
  });
}

function Escrow({ layout: { escrow }, unet }: { layout: Layout; unet: number | null }) {
  const { x, y, radius } = escrow;
  const says = unet === null ? 'only the newest height' : `${shortNet(unet)} NET`;
  return (
    <g role="img" aria-label={`In escrow: ${says}`} className="escrow-node" textAnchor="middle">
      <circle cx={x} cy={y} r={radius} />
      <text x={x} y={y - (radius > 50 ? 20 : 14)} className="quiet">
        In escrow
      </text>
      {unet === null ? (
        <text className="quiet">
          <tspan x={x} y={y + 4}>
            Newest
          </tspan>
          <tspan x={x} y={y + 20}>
            height only
          </tspan>
        </text>
      ) : (
        <>
          <text x={x} y={y + 9} className="amount">
            {shortNet(unet)}
          </text>
          <text x={x} y={y + 28} className="quiet">
            NET
          </text>
        </>
      )}
    </g>
  );
}

const STEPS = [
  ['requester', 'Ask', 'An agent posts a job and locks NET'],
  ['worker', 'Work', 'Another agent takes it and delivers'],
  ['juror', 'Check', 'A jury drawn by lot votes, then escrow pays'],
] as const;

/** Teaches on an empty chain what the picture will show. */
const MISSING: readonly (readonly [Role, string])[] = [
  ['requester', 'No requester yet'],
  ['juror', 'No jury yet'],
  ['worker', 'No worker yet'],
];

/** Marks the roles of a young chain that are still empty. */
function Missing({ placed, layout }: { placed: readonly Placed[]; layout: Layout }) {
  return (
    <g className="first-steps">
      {MISSING.filter(([role]) => placed.every((one) => one.role !== role)).map(([role, text]) => {
        const point = layout.places(role, 0, 1);
        const isAbove = role === 'juror';
        return (
          <g key={role}>
            <path d={pathOf(role, ...endsOf(role, point, layout))} />
            <circle cx={point.x} cy={point.y} r={NODE} />
            <text
              x={role === 'requester' ? 16 : isAbove ? point.x : layout.width - 16}
              y={isAbove ? point.y - NODE - 12 : point.y + NODE + 22}
              textAnchor={isAbove ? 'middle' : role === 'requester' ? 'start' : 'end'}
              className="quiet"
            >
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function FirstSteps({ layout, isWide }: { layout: Layout; isWide: boolean }) {
  return (
    <g className="first-steps">
      {STEPS.map(([role, title, text], at) => {
        const point = layout.places(role, 0, 1);
        const anchor = role === 'juror' ? 'middle' : role === 'requester' ? 'start' : 'end';
        const x = role === 'juror' ? point.x : role === 'requester' ? 16 : layout.width - 16;
        const y = role === 'juror' ? point.y - NODE - 26 : point.y + NODE + 24;
        return (
          <g key={role}>
            <path d={pathOf(role, ...endsOf(role, point, layout))} />
            <circle cx={point.x} cy={point.y} r={NODE} />
            <text x={point.x} y={point.y + 5} textAnchor="middle">
              {at + 1}
            </text>
            <text x={x} y={y} textAnchor={anchor} className="name">
              {title}
            </text>
            {isWide ? (
              <text x={x} y={y + 18} textAnchor={anchor} className="quiet">
                {text}
              </text>
            ) : (
              <text x={layout.escrow.x} y={360 + 26 * at} textAnchor="middle" className="quiet">
                {at + 1}. {text}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

interface Dot extends Move {
  id: string;
  after: number;
}

/** Draws a dot for each event that arrives, along the line of its party. */
function Dots({
  events,
  ready,
  placed,
  layout,
}: {
  events: readonly ChainEvent[];
  ready: boolean;
  placed: readonly Placed[];
  layout: Layout;
}) {
  const isCalm = useMedia('(prefers-reduced-motion: reduce)');
  const [dots, setDots] = useState<readonly Dot[]>([]);
  const last = useRef<string | null>(null);
  const newest = ready ? (events[0]?.id ?? '0.-1') : null;
  useEffect(() => {
    const before = last.current;
    last.current = newest;
    if (before === null || newest === null || isCalm) return;
    const fresh = events
      .filter(({ id }) => compareEventIds(id, before) > 0)
      .slice(0, MOST_DOTS)
      .toReversed()
      .map((event, at) => ({ ...moveOf(event), id: event.id, after: at * APART }));
    if (fresh.length > 0) setDots((shown) => [...shown, ...fresh].slice(-MOST_DOTS));
  }, [newest, isCalm, events]);
  const placeOf = (spot: Spot): Placed | null => {
    if (typeof spot === 'string') return null;
    const ofRole = placed.filter(({ role }) => role === spot.role);
    return (
      ofRole.find(({ party }) => party.id === spot.id) ??
      ofRole.find(({ party }) => party.id === null) ??
      null
    );
  };
  const drop = (id: string): void => setDots((shown) => shown.filter((dot) => dot.id !== id));
  return (
    <g aria-hidden="true">
      {dots.map(({ id, from, to, tone, after }) => {
        const place = placeOf(from) ?? placeOf(to);
        const common = {
          'data-tone': tone,
          onAnimationEnd: () => drop(id),
        };
        if (place === null) {
          const at = from === 'escrow' && to === 'escrow' ? layout.escrow : layout.network;
          const radius = 'radius' in at ? (at.radius as number) : 6;
          return (
            <circle
              key={id}
              className="ring"
              cx={at.x}
              cy={at.y}
              r={radius}
              style={{ animationDelay: `${after}ms`, transformOrigin: `${at.x}px ${at.y}px` }}
              {...common}
            />
          );
        }
        const ends = endsOf(place.role, place.point, layout);
        const [start, end] = from === 'escrow' ? ends.toReversed() : ends;
        const path = pathOf(place.role, start as Point, end as Point);
        return (
          <circle
            key={id}
            className="dot"
            r="5"
            style={{ animationDelay: `${after}ms`, offsetPath: `path("${path}")` }}
            {...common}
          />
        );
      })}
    </g>
  );
}
