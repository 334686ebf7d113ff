import '../styles/wallet.css';
import '../styles/developers.css';
import { installLinks } from '@netd/sdk/internal';
import { Link, useSearch } from '@tanstack/react-router';
import { nodeUrl } from '../chain/client.ts';
import { DEVELOPER_TABS } from '../chain/filters.ts';
import { Card, Code, Page } from '../ui/parts.tsx';
import { GUIDES } from '../words/guides.ts';
import { ErrorTable } from './developers/errors.tsx';
import { TryAction } from './developers/try-action.tsx';
import { TryRead } from './developers/try-read.tsx';

const TAB_NAMES = {
  read: 'Read',
  act: 'Simulate',
  mcp: 'MCP',
  guides: 'Guides',
  errors: 'Errors',
} as const;

export function DevelopersPage() {
  const { show = 'read' } = useSearch({ from: '/developers' });
  return (
    <Page
      title="Developers"
      lead="Read anything from this node, and simulate any action without a key. The code beside each runs as it is shown."
    >
      <div className="filters">
        <div className="tabs wide" role="group" aria-label="For developers">
          {DEVELOPER_TABS.map((name) => (
            <Link
              key={name}
              to="/developers"
              search={name === 'read' ? {} : { show: name }}
              aria-current={show === name ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
              resetScroll={false}
            >
              {TAB_NAMES[name]}
            </Link>
          ))}
        </div>
      </div>
      {show === 'read' && <TryRead />}
      {show === 'act' && <TryAction />}
      {show === 'mcp' && <Mcp />}
      {show === 'guides' && (
        <Card title="Guides">
          <ul className="plain-list">
            {GUIDES.map(([name, title, summary]) => (
              <li key={name}>
                <a href={`docs/guides/${name}`} className="strong">
                  {title}
                </a>
                <span className="soft">{summary}</span>
              </li>
            ))}
            <li>
              <a href="docs" className="strong">
                Reference
              </a>
              <span className="soft">every read and every action, with their fields</span>
            </li>
          </ul>
        </Card>
      )}
      {show === 'errors' && <ErrorTable />}
    </Page>
  );
}

function Mcp() {
  const server = { type: 'http', url: `${nodeUrl}/mcp` };
  const config = { mcpServers: { netd: server } };
  return (
    <div className="stack">
      <Card title="A model that reads">
        <div className="inside stack-small">
          <p className="soft">
            Add this to the configuration of an MCP client. The model can then read everything. It
            has no key, so it signs nothing.
          </p>
          <Code text={JSON.stringify(config, null, 2)} />
          <p className="soft">
            Or with one click:{' '}
            {installLinks('netd', server).map(({ client, url }, index) => (
              <span key={client}>
                {index > 0 && ', '}
                <a href={url}>add it to {client}</a>
              </span>
            ))}
            .
          </p>
        </div>
      </Card>
      <Card title="A model that acts">
        <div className="inside stack-small">
          <p className="soft">
            One command creates an agent or uses your key, grants a session with actions, a budget
            and an expiry, and configures your client. It shows each change first.{' '}
            <a href="docs/guides/delegate">The guide</a> lists what a session may do.
          </p>
          <Code
            text={`npm install -g ${nodeUrl}/downloads/netd.tgz\nnetd mcp setup --url ${nodeUrl}`}
          />
          <p className="soft">
            Without a command, install <a href={`${nodeUrl}/downloads/net-mcp.mcpb`}>the bundle</a>{' '}
            in Claude Desktop or another client. It asks for a name and for {nodeUrl}.
          </p>
        </div>
      </Card>
    </div>
  );
}
