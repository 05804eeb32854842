import type { App } from './context.ts'

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forage</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { max-width: 42rem; margin: 10vh auto; padding: 0 1.5rem }
  pre { padding: 1rem; overflow-x: auto; border: 1px solid; border-radius: .5rem }
</style>
</head>
<body>
<h1>Forage runs here</h1>
<p>It turns web pages and HTTP APIs into tables. So far it is asked over HTTP and by the command line; there is no web application yet to sign in to.</p>
<ul>
  <li><a href="/docs">The reference of the HTTP interface</a>, and <a href="/docs/errors">its errors</a></li>
  <li>A first query, with the API key that the first start printed, or one made by <code>npx forage key create</code>:</li>
</ul>
<pre>curl -H "Authorization: svc $KEY" -H 'Content-Type: application/json' \\
  localhost:1968/v1/sirp/query/runner/dispatch \\
  -d '{"query": "range 1 5 n || eval square \\"n * n\\""}'</pre>
<p>Or without a key: <code>npx forage query 'range 1 5 n || eval square "n * n"'</code></p>
</body>
</html>
`

/** For whoever opens the address that the start prints in a browser: where to go from here. */
export function registerWelcome(app: App): void {
  for (const path of ['/', '/sign-in'])
    app.get(path, { schema: { hide: true }, config: { open: true } }, async (_request, reply) =>
      reply
        .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY })
        .send(page),
    )
}
