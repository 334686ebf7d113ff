/**
 * Writes the vectors of blob documents into vectors/formats/. Sealed content is random, so it is written only on
 * request.
 * node scripts/make-format-vectors.ts           work scopes, agent metadata and verdicts
 * node scripts/make-format-vectors.ts --seal    sealed content and portable memory too
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { pretty } from './make-vectors.ts';
import { agentMetadataVectors } from './vectors/formats/agent-metadata.ts';
import { judgeVectors } from './vectors/formats/judge.ts';
import { portableMemories } from './vectors/formats/portable-memory.ts';
import { sealedContents } from './vectors/formats/sealed-content.ts';
import { workScopes } from './vectors/formats/work-scope.ts';

/** File names under vectors/formats/ with the texts that are reproducible. */
export function makeFormatVectors(): Map<string, string> {
  return new Map([
    ['work-scope.json', `${pretty(workScopes())}\n`],
    ['judge.json', `${pretty(judgeVectors())}\n`],
    ['agent-metadata.json', `${pretty(agentMetadataVectors())}\n`],
  ]);
}

if (import.meta.main) {
  const folder = new URL('../vectors/formats/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const files = makeFormatVectors();
  if (process.argv.includes('--seal')) {
    files.set('sealed-content.json', `${pretty(await sealedContents())}\n`);
    files.set('portable-memory.json', `${pretty(await portableMemories())}\n`);
  }
  for (const [name, text] of files) writeFileSync(new URL(name, folder), text);
}
