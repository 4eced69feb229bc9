/** The page on which a person chooses an account of the local social network. */
export function accountChoicePage(
  accounts: readonly { handle: string; name: string }[],
  query: Record<string, string>,
): string {
  const fields = Object.entries(query).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const form = (inside: string) =>
    `<form method="get" action="/local/x/oauth2/authorize">${fields.join('')}${inside}</form>`
  const buttons = accounts.map(({ handle, name }) =>
    form(
      `<button name="handle" value="${escapeHtml(handle)}"><b>${escapeHtml(name)}</b> <span>@${escapeHtml(handle)}</span></button>`,
    ),
  )
  return page(
    'Log in at the local network',
    `<p>This stand-in for a social network asks for no password: say who you are.</p>
    ${buttons.length > 0 ? `<h2>Accounts here</h2><div class="list">${buttons.join('')}</div><h2>Another account</h2>` : ''}
    ${form('<label for="handle">Handle</label><div class="row"><input id="handle" name="handle" required pattern="@?[A-Za-z0-9_]{1,30}" autocomplete="off"><button class="main">Log in</button></div>')}`,
  )
}

/** The page that redirects to the client that requested the login. */
export function redirectPage(handle: string, next: string): string {
  return page(
    `Logged in as @${handle}`,
    `<p><a class="main" href="${escapeHtml(next)}">Continue</a></p>`,
    `<meta http-equiv="refresh" content="0;url=${escapeHtml(next)}">`,
  )
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --quiet: #555b66; --ground: #fff; --line: #c9cdd4; --main: #1f5f3f; --on-main: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #eceef1; --quiet: #a9b0bb; --ground: #14161a; --line: #40454e; --main: #8fd6ae; --on-main: #10241a; } }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
main { max-width: 28rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p, span { color: var(--quiet); }
.list { display: grid; gap: .5rem; }
.row { display: flex; gap: .5rem; }
button, input { font: inherit; color: inherit; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; }
input { flex: 1; min-width: 0; } button { cursor: pointer; }
.list button { width: 100%; text-align: left; }
label { display: block; margin-bottom: .25rem; }
.main { display: inline-block; background: var(--main); color: var(--on-main); border-color: var(--main); padding: .6rem .8rem; border-radius: .5rem; }
`

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
