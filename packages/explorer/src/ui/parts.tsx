import { NetError } from '@netd/sdk/core';
import { useEffect, useState, type ReactNode } from 'react';
import { visibleLine } from '../words/strangers.ts';
import { Said } from './said.tsx';
import { Copy } from './copy.tsx';

export function Page({
  title,
  heading,
  lead,
  aside,
  children,
  crumb,
}: {
  /** Title of the browser tab, and the heading if no other is given. */
  title: string;
  heading?: ReactNode;
  lead?: ReactNode;
  aside?: ReactNode;
  crumb?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${visibleLine(title)} · netd`;
  }, [title]);
  return (
    <>
      <div className="page-head">
        <div>
          {crumb && <span className="crumb">{crumb}</span>}
          {heading ?? (
            <h1>
              <Said text={title} />
            </h1>
          )}
          {lead && <p className="lead">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </>
  );
}

export function Card({
  title,
  aside,
  children,
  className = '',
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={`card ${className}`}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A figure of a group with the class `stats`. */
export function Stat({
  label,
  value,
  note,
}: {
  label: ReactNode;
  value: ReactNode;
  note: ReactNode;
}) {
  return (
    <div className="stat">
      <span className="label">{label}</span>
      <span className="value">{value}</span>
      <span className="note">{note}</span>
    </div>
  );
}

export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className="skeleton line" style={{ width: `${70 - ((at * 17) % 45)}%` }} />
      ))}
    </div>
  );
}

/** A component of its own, so that its element is never reused for the content, which would count as moved. */
export const SkeletonCard = ({ lines }: { lines: number }) => (
  <div className="card">
    <Skeleton lines={lines} />
  </div>
);

export function Empty({
  title,
  children,
  code,
}: {
  title: string;
  children?: ReactNode;
  code?: string;
}) {
  return (
    <div className="empty">
      <h3>
        <Said text={title} />
      </h3>
      {children && <p>{children}</p>}
      {code !== undefined && <Code text={code} />}
    </div>
  );
}

export function Code({ text }: { text: string }) {
  return (
    <div className="code">
      <pre>{text}</pre>
      <Copy text={text} what="code" />
    </div>
  );
}

export function ErrorNote({
  error,
  what,
  retry,
}: {
  error: unknown;
  what: string;
  /** Returns a promise if the note stays until the attempt has ended. */
  retry?: () => unknown;
}) {
  const { title, advice, code } = explain(error);
  const [isTrying, setTrying] = useState(false);
  const tryAgain = async (): Promise<void> => {
    setTrying(true);
    await retry?.();
    setTrying(false);
  };
  return (
    <div className="error-note" role="alert">
      <strong>{title}</strong>
      <p>
        <Said text={`${what} ${advice}`} />
      </p>
      {code && <code>{code}</code>}
      {retry && (
        <p>
          <button
            type="button"
            className="button"
            disabled={isTrying}
            onClick={() => void tryAgain()}
          >
            {isTrying ? 'Reading…' : 'Try again'}
          </button>
        </p>
      )}
    </div>
  );
}

const textOf = ({ message, code }: NetError): string => message.replace(` [${code}]`, '');

function explain(error: unknown): { title: string; advice: string; code: string | null } {
  if (error instanceof NetError && error.status === 404) {
    return {
      title: 'The node has none',
      // What follows its first sentence is for programs.
      advice: `${ended(textOf(error).split('. ')[0] ?? '')} Search for another name, or wait for the next block if it is new.`,
      code: error.code,
    };
  }
  if (error instanceof NetError && error.status > 0) {
    return {
      title: 'The node refused',
      advice: `It says: ${ended(textOf(error))} ${error.hint ?? ''}`,
      code: error.code,
    };
  }
  return {
    title: 'The node does not answer',
    advice:
      'Check that it is running and that this machine can reach it. The page then updates by itself.',
    code: null,
  };
}

/** Returns the message with one full stop. */
export const ended = (message: string): string => `${message.replace(/\.$/, '')}.`;
