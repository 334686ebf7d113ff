const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1a1d24, #e8eaf0); --soft: light-dark(#565d6d, #a4abba); --line: light-dark(#d9dde5, #313745); --paper: light-dark(#fbfbfd, #12141a); --card: light-dark(#ffffff, #1a1e27); --accent: light-dark(#2f5bd7, #8fb0ff); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.02em; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; }
p { margin: 0 0 1rem; max-width: 38rem; overflow-wrap: break-word; }
.soft { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 1.5rem 0 0; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9rem; line-height: 1.75; }
pre { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow-x: auto; font: .875rem/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
ul { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
li { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .5rem 0; }
li a { font-family: ui-monospace, monospace; font-size: .9rem; min-width: 11rem; padding: .1rem 0; }
a { color: var(--accent); text-underline-offset: .2em; }
@media (max-width: 36rem) { li { display: block; } }
section { border-top: 1px solid var(--line); }
section h2 { margin-top: 1.25rem; overflow-wrap: anywhere; }
section:target h2 { color: var(--accent); }
`;

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="none" stroke="#4f7cf0" stroke-width="4">' +
    '<rect x="3" y="10" width="16" height="12" rx="6"/><rect x="13" y="10" width="16" height="12" rx="6"/></g></svg>',
)}`;

/** @param meta trusted HTML for the head */
export function page(title: string, body: string, meta = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<title>netd · ${escapeHtml(title)}</title>
<style>${STYLE}</style>${meta}
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
