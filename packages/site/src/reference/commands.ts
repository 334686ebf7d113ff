import { fence, listOf, plain, table, type Page } from '../page.ts';
import { commandContract, type CommandContract } from './contract.ts';

export function commandPages(): Page[] {
  const { commands, exitCodes } = commandContract();
  const pages = commands.map(commandPage);
  return [
    {
      path: '/docs/commands',
      title: 'Commands',
      section: 'commands',
      isIndex: true,
      summary: `${commands.length} commands of netd, with options and examples`,
      markdown: `# Commands

What \`netd\` does. Each has \`--help\`; \`--json\` answers scripts; [doctor](/docs/commands/doctor) says whether this machine has what a node needs.

${listOf(pages)}

## Exit codes

${table(
  ['Code', 'Means'],
  exitCodes.map(({ code, meaning }) => [String(code), meaning]),
)}
`,
    },
    ...pages,
  ];
}

function commandPage(command: CommandContract): Page {
  const { name, summary, usage, options, examples } = command;
  const parts = [
    `# netd ${name}`,
    `${plain(summary[0]?.toUpperCase() ?? '')}${plain(summary.slice(1))}.`,
    fence('text', usage),
    '## Examples',
    fence('sh netd', examples.join('\n')),
    ...(command.arguments.length > 0
      ? [
          '## Arguments',
          table(
            ['Argument', 'Is'],
            command.arguments.map((one) => [
              `\`${one.name}${one.variadic ? '…' : ''}\``,
              `${plain(one.description)}${one.required ? '' : ' (optional)'}`,
            ]),
          ),
        ]
      : []),
    ...(options.length > 0
      ? [
          '## Options',
          table(
            ['Option', 'Does', 'Default', 'Environment'],
            options.map((option) => [
              `\`${option.flags}\``,
              plain(option.description) +
                (option.choices
                  ? `: ${option.choices.map((one) => `\`${one}\``).join(', ')}`
                  : '') +
                (option.required ? ' (required)' : ''),
              option.default === undefined
                ? ''
                : `\`${typeof option.default === 'string' ? option.default : JSON.stringify(option.default)}\``,
              option.env === undefined ? '' : `\`${option.env}\``,
            ]),
          ),
        ]
      : []),
  ];
  return {
    path: `/docs/commands/${name.replaceAll(' ', '-')}`,
    title: `netd ${name}`,
    section: 'commands',
    summary,
    markdown: `${parts.join('\n\n')}\n`,
  };
}
