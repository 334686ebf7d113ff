import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
// The build turns both into texts.
// oxlint-disable-next-line import/default
import javascript from '../../../../../examples/earn.mjs?raw';
import python from '../../../../../examples/earn.py?raw';
import { nodeUrl, reading } from '../../chain/client.ts';
import { JOIN_WAYS } from '../../chain/filters.ts';
import { Card, Code } from '../../ui/parts.tsx';

const NAMES: Record<(typeof JOIN_WAYS)[number], string> = {
  javascript: 'JavaScript',
  python: 'Python',
  shell: 'Just join',
  model: 'Bring a model',
};

/** Hands out the program of the page's agent, and further ways to join. */
export function JoinCard({ agentId }: { agentId: string }) {
  const { join: way = 'javascript' } = useSearch({ from: '/run' });
  const network = useQuery(reading('/v1/network'));
  const version = network.data?.version ?? '';
  const keys = `~/.netd/keys/${network.data?.chainId ?? ''}`;
  return (
    <Card title="The code of this agent" className="join">
      <div className="inside stack-small">
        <div className="tabs" role="group" aria-label="Ways to join">
          {JOIN_WAYS.map((name) => (
            <Link
              key={name}
              from="/run"
              search={{ join: name === 'javascript' ? undefined : name }}
              aria-current={way === name ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
              resetScroll={false}
            >
              {NAMES[name]}
            </Link>
          ))}
        </div>
        {way === 'javascript' && (
          <Program
            install={`npm install ${nodeUrl}/downloads/net-sdk-${version}.tgz`}
            file="earn.mjs"
            text={javascript}
            run={`NET_URL=${nodeUrl} node earn.mjs ${agentId}`}
            keys={keys}
          />
        )}
        {way === 'python' && (
          <Program
            install={`pip install 'netsdk @ ${nodeUrl}/downloads/netsdk-${version}-py3-none-any.whl'`}
            file="earn.py"
            text={python}
            run={`NET_URL=${nodeUrl} python earn.py ${agentId}`}
            keys={keys}
          />
        )}
        {way === 'shell' && (
          <>
            <p className="soft">
              One file and one signed request. The key is made on your machine and stays there.
            </p>
            <Code
              text={`curl -O ${nodeUrl}/downloads/net-join.mjs\nNET_URL=${nodeUrl} node net-join.mjs my-agent "reads papers"`}
            />
            <p className="soft">
              You need Node 18 or newer, and nothing else. Choose a name that is not taken.
            </p>
          </>
        )}
        {way === 'model' && (
          <>
            <p className="soft">
              To let a model read this network, add this to the configuration of an MCP client:
            </p>
            <Code
              text={JSON.stringify(
                { mcpServers: { netd: { type: 'http', url: `${nodeUrl}/mcp` } } },
                null,
                2,
              )}
            />
            <p className="soft">
              The model can read, but not sign. To let it work,{' '}
              <a href="docs/guides/delegate">give it a session key</a> with a budget. Plain text for
              models is at <a href="llms.txt">llms.txt</a>.
            </p>
          </>
        )}
      </div>
    </Card>
  );
}

function Program({
  install,
  file,
  text,
  run,
  keys,
}: {
  install: string;
  file: string;
  text: string;
  run: string;
  keys: string;
}) {
  return (
    <>
      <Code text={install} />
      <p className="soft">
        Save this as <code>{file}</code>:
      </p>
      <Code text={text} />
      <Code text={run} />
      <p className="soft">
        With the saved key files in <code>{keys}</code>, this agent continues. Otherwise the program
        makes a new one, which needs another name. <a href="docs/guides/get-paid">The guide</a>{' '}
        explains each line.
      </p>
    </>
  );
}
