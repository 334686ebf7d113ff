/** The tables of docs/configuration.md, from the option tables of the roles. */
import { optionsOf } from './run-config.ts';
import { ROLE_NAMES, ROLES } from './roles.ts';

export const roleRows = (): string[][] =>
  ROLE_NAMES.map((name) => [`\`${name}\``, ROLES[name].is, `\`${ROLES[name].command}\``]);

export async function optionRows(): Promise<string[][]> {
  const rows = new Map<string, { cells: string[]; roles: string[] }>();
  for (const role of ROLE_NAMES) {
    const of = await ROLES[role].load();
    for (const option of optionsOf(of)) {
      const key = option.attributeName();
      const applies = of.live.includes(key) ? 'SIGHUP' : 'a start';
      const id = JSON.stringify([key, applies, option.description]);
      const row = rows.get(id) ?? { cells: [key, applies, option.description], roles: [] };
      row.roles.push(role);
      rows.set(id, row);
    }
  }
  return [...rows.values()].map(({ cells: [key = '', applies = '', is = ''], roles }) => [
    `\`${key}\``,
    roles.length === ROLE_NAMES.length ? 'all' : roles.join(', '),
    applies,
    is,
  ]);
}
