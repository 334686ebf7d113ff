import { hashValue } from '@netd/protocol';

export type Pasted =
  | { kind: 'transition'; hash: string }
  | { kind: 'receipt'; hash: string; document: Record<string, unknown>; envelope?: unknown }
  | { kind: 'certificate'; height: number; document: Record<string, unknown> }
  | { kind: 'state'; key: string; document?: Record<string, unknown> }
  | { kind: 'block'; height: number; document?: Record<string, unknown> }
  /** The head that a checkpoint or trust report claims. `fault` is set if it is invalid on any chain. */
  | {
      kind: 'head';
      what: string;
      height: number;
      head: Record<string, unknown>;
      genesisHash: unknown;
      fault: string | null;
    }
  | { kind: 'unknown'; why: string };

const HASH = /^[a-f0-9]{64}$/;
const KEY = /^[a-z]+(-[a-z]+)*\/\S+$/;

export function pastedOf(text: string): Pasted {
  const typed = text.trim();
  if (typed === '') return { kind: 'unknown', why: '' };
  const hash = typed.toLowerCase().replace(/^0x/, '');
  if (HASH.test(hash)) return { kind: 'transition', hash };
  if (/^#?\d{1,15}$/.test(typed)) return { kind: 'block', height: Number(typed.replace('#', '')) };
  if (KEY.test(typed)) return { kind: 'state', key: typed };
  if (!typed.startsWith('{')) {
    return {
      kind: 'unknown',
      why: 'This is not a hash, a height, a state key such as account/ada, or JSON.',
    };
  }
  let document: Record<string, unknown>;
  try {
    document = JSON.parse(typed) as Record<string, unknown>;
  } catch {
    return {
      kind: 'unknown',
      why: 'This is not complete JSON. A part of it may be missing.',
    };
  }
  const { schema, transitionHash, receipt, height, key, header } = document;
  if (schema === 'NET-FINALITY-CERTIFICATE/1' && typeof height === 'number')
    return { kind: 'certificate', height, document };
  if (schema === 'NET-STATE-CHECKPOINT/1' && typeof height === 'number')
    return headOf('this checkpoint', height, document, { own: 'checkpointHash', head: document });
  if (schema === 'NET-AGENT-TRUST-REPORT/1' && typeof height === 'number') {
    const head = recordOf(document['snapshot']);
    const { genesisHash } = recordOf(document['network']);
    return headOf('this trust report', height, document, { own: 'reportHash', head, genesisHash });
  }
  if (typeof receipt === 'object' && receipt !== null) {
    const found = pastedOf(JSON.stringify(receipt));
    return found.kind === 'receipt' && 'envelope' in document
      ? { ...found, envelope: document['envelope'] }
      : found;
  }
  if (
    typeof transitionHash === 'string' &&
    HASH.test(transitionHash) &&
    typeof height === 'number'
  ) {
    return { kind: 'receipt', hash: transitionHash, document };
  }
  if (typeof key === 'string' && KEY.test(key)) return { kind: 'state', key, document };
  if (typeof header === 'object' && header !== null && 'height' in header) {
    return { kind: 'block', height: Number(header.height), document };
  }
  return {
    kind: 'unknown',
    why: 'This document cannot be checked here. Paste a receipt, a transition, a block, a certificate, a checkpoint, a trust report or a proof of the state.',
  };
}

const HEAD_MEMBERS = ['blockHash', 'stateRoot', 'certificateHash'];

/** @param given `own` names the member with the hash of all others; `head` is the claimed head */
function headOf(
  what: string,
  height: number,
  document: Readonly<Record<string, unknown>>,
  given: { own: string; head: Readonly<Record<string, unknown>>; genesisHash?: unknown },
): Pasted {
  const { own, head, genesisHash } = given;
  const { [own]: stated, ...rest } = document;
  return {
    kind: 'head',
    what,
    height,
    head: Object.fromEntries(HEAD_MEMBERS.map((name) => [name, head[name]])),
    genesisHash,
    fault: hashOf(rest) === stated ? null : `its ${own} is not the hash of its content`,
  };
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function hashOf(value: unknown): string | null {
  try {
    return hashValue(value);
  } catch {
    return null;
  }
}
