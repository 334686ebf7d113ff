/** Routes of Agent Skills Discovery 0.2.0. */
import { readFileSync } from 'node:fs';
import { agentSkillFile } from '../../downloads.ts';
import { byChain } from '../cache-policy.ts';
import type { Routes } from '../context.ts';

const SKILL = new URL('../../../../../handouts/agent-skill/SKILL.md', import.meta.url);

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

export const agentSkillRoutes: Routes = (app, context) => {
  app.get('/.well-known/agent-skills/index.json', { schema: { hide: true } }, (_request, reply) => {
    const file = agentSkillFile(context.options.publicUrl);
    const skills = file
      ? [{ ...aboutSkill(), type: 'archive', url: file.path, digest: `sha256:${file.sha256}` }]
      : [];
    return context.send(reply, { $schema: SCHEMA, skills }, byChain);
  });
};

function aboutSkill(): { name: string; description: string } {
  const text = readFileSync(SKILL, 'utf8');
  const member = (name: string): string =>
    new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]?.trim() ?? '';
  return { name: member('name'), description: member('description') };
}
