/**
 * Writes the protocol vectors into vectors/, a topic per file, from scripts/vectors/. Every implementation runs
 * them, and a test compares the committed files. Published expectations (RFC 8785, RFC 8032) are literals, never
 * computed.
 * node scripts/make-vectors.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { agentMachines } from './vectors/agent-machines.ts';
import { amounts } from './vectors/amounts.ts';
import { canonicalJson } from './vectors/canonical-json.ts';
import { certificates } from './vectors/certificates.ts';
import { checkpoints } from './vectors/checkpoints.ts';
import { commitCertificates } from './vectors/commit-certificates.ts';
import { envelopes } from './vectors/envelopes.ts';
import { hashes } from './vectors/hashes.ts';
import { keyMaterial } from './vectors/key-material.ts';
import { merkle } from './vectors/merkle.ts';
import { publicKeys } from './vectors/public-keys.ts';
import { signatures } from './vectors/signatures.ts';
import { stateProofs } from './vectors/state-proofs.ts';
import { setChanges } from './vectors/set-changes.ts';
import { strictJson } from './vectors/strict-json.ts';
import { uris } from './vectors/uris.ts';

/** File names under vectors/ with their texts. */
export function makeVectors(): Map<string, string> {
  const topics = {
    'agent-machines': agentMachines(),
    amounts: amounts(),
    'canonical-json': canonicalJson(),
    'strict-json': strictJson(),
    hashes: hashes(),
    'public-keys': publicKeys(),
    signatures: signatures(),
    envelopes: envelopes(),
    'key-material': keyMaterial(),
    uris: uris(),
    merkle: merkle(),
    'state-proofs': stateProofs(),
    certificates: certificates(),
    'commit-certificates': commitCertificates(),
    'set-changes': setChanges(),
    checkpoints: checkpoints(),
  };
  return new Map(
    Object.entries(topics).map(([topic, content]) => [`${topic}.json`, `${pretty(content)}\n`]),
  );
}

/** Formats JSON like prettier: objects expanded, lists on one line if they fit into 100 columns. */
export function pretty(value: unknown, indent = '', before = 0): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    const nested = value.some((item) => typeof item === 'object' && item !== null);
    if (!nested && indent.length + before + line.length < 100) return line;
    return `[\n${value.map((item) => inner + pretty(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => {
      const start = `${JSON.stringify(name)}: `;
      return inner + start + pretty(member, inner, start.length);
    });
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  return JSON.stringify(value);
}

if (import.meta.main) {
  const folder = new URL('../vectors/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of makeVectors()) writeFileSync(new URL(name, folder), text);
}
