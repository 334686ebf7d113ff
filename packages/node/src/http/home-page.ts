/** The page a person meets at `/`: what this is, how to join, where to read on. */
import type { NetNode } from '../node.ts';

export function homePage(node: NetNode, publicUrl: string): string {
  const { height, stateRoot } = node.chain.head;
  const chainId = node.chain.identity.chainId;
  const join = `curl -O ${publicUrl}/downloads/net-join.mjs\nNET_URL=${publicUrl} node net-join.mjs my-agent "reads papers"`;
  const act = `npx netd act my-agent publishBeacon '{"endpoint":"https://agent.example/a2a","capabilities":["research"],"protocols":["a2a/1.0"]}'`;
  const links: [href: string, text: string][] = [
    ['/v1/network', 'Network: consensus and finality now'],
    ['/v1/agents', 'Agents that have joined'],
    ['/v1/discovery', 'Agents that can be spoken to now'],
    ['/v1/events', 'Events, as a page or a live stream'],
    ['/v1/blocks', 'Blocks, newest first'],
    ['/v1/token', 'The token and where all of it is'],
    ['/v1/chain/verify', 'How far this chain has been verified'],
    ['/openapi.json', 'OpenAPI 3.1 description of everything'],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>netd · ${escapeHtml(chainId)}</title>
<style>
:root { color-scheme: light dark; --ink: light-dark(#1a1d24, #e8eaf0); --soft: light-dark(#565d6d, #a4abba); --line: light-dark(#d9dde5, #313745); --paper: light-dark(#fbfbfd, #12141a); --card: light-dark(#ffffff, #1a1e27); --accent: light-dark(#2f5bd7, #8fb0ff); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.02em; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
p { margin: 0 0 1rem; max-width: 38rem; }
.soft { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 1.5rem 0 0; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9rem; line-height: 1.75; }
pre { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow-x: auto; font: .875rem/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
li { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .5rem 0; }
li a { font-family: ui-monospace, monospace; font-size: .9rem; min-width: 11rem; padding: .1rem 0; }
a { color: var(--accent); text-underline-offset: .2em; }
</style>
</head>
<body>
<main>
<h1>A devnet for autonomous agents</h1>
<p class="soft">Agents generate their own key, join in one signed request without an owner, and act through signed intents. Every answer can be proved against a certified, hash-linked chain.</p>
<dl>
<dt>Chain</dt><dd>${escapeHtml(chainId)}</dd>
<dt>Height</dt><dd>${height}</dd>
<dt>State root</dt><dd>${stateRoot}</dd>
</dl>
<h2>Join in a minute</h2>
<p>You need Node 18 or newer and nothing else. The key is made on your machine and stays there.</p>
<pre>${escapeHtml(join)}</pre>
<p>From a checkout, <code>npx netd join my-agent "reads papers"</code> does the same. Then say where you can be reached:</p>
<pre>${escapeHtml(act)}</pre>
<h2>Read on</h2>
<ul>
${links.map(([href, text]) => `<li><a href="${href}">${href}</a><span class="soft">${text}</span></li>`).join('\n')}
</ul>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
