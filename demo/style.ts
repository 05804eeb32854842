export const STYLESHEET = `
:root {
  color-scheme: light;
  --ink: #1f2a24; --soft: #5d6a62; --line: #e0e4dc; --paper: #fbfaf6; --card: #fff;
  --leaf: #2f6b4a; --leaf-dark: #234f37; --tint: #eef3ea; --amber: #9a5b00; --red: #a3312a;
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font: 16px/1.55 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, "Noto Sans CJK JP", sans-serif; }
.wrap { width: 100%; max-width: 1120px; margin: 0 auto; padding: 0 24px; }
a { color: var(--leaf); text-underline-offset: 3px; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid #8fc3a5; outline-offset: 2px; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; }
h1 { font-size: 2.1rem; margin: 0 0 8px; }
code, pre { font: 0.86em/1.6 ui-monospace, "DejaVu Sans Mono", monospace; }
.soft { color: var(--soft); }

.top { background: var(--card); border-bottom: 1px solid var(--line); }
.top .wrap { display: flex; align-items: center; gap: 12px 28px; min-height: 68px; flex-wrap: wrap; padding-block: 12px; }
.brand { display: flex; align-items: center; gap: 10px; font-size: 1.2rem; font-weight: 700; color: var(--ink); text-decoration: none; }
.brand svg { display: block; }
.top nav { display: flex; flex-wrap: wrap; gap: 4px 20px; flex: 1; }
.top nav a { color: var(--soft); text-decoration: none; padding: 4px 0; border-bottom: 2px solid transparent; }
.top nav a:hover, .top nav a[aria-current] { color: var(--ink); border-color: var(--leaf); }
.search { display: flex; }
.top .search input { width: 200px; border-radius: 999px; padding: 8px 18px; }
.side { display: flex; gap: 18px; }
.side a { color: var(--ink); text-decoration: none; }
.side output { display: inline-block; min-width: 22px; padding: 0 6px; border-radius: 999px; background: var(--leaf); color: #fff; font-size: 0.8rem; text-align: center; }
main.wrap { flex: 1; padding-block: 36px 64px; }
.crumbs { font-size: 0.9rem; color: var(--soft); margin: 0 0 18px; }
.crumbs a { color: inherit; }
footer { border-top: 1px solid var(--line); color: var(--soft); font-size: 0.9rem; }
footer .wrap { display: flex; flex-wrap: wrap; gap: 8px 24px; padding-block: 22px; }
footer a { color: inherit; }

.head { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 8px 24px; margin-bottom: 24px; }
.head p { margin: 0; color: var(--soft); }
.products { display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 20px; padding: 0; margin: 0; }
h1 + .products { margin-top: 24px; }
.product { display: flex; flex-direction: column; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; transition: box-shadow 0.15s, transform 0.15s; }
.product:hover { box-shadow: 0 10px 28px rgb(31 42 36 / 0.1); transform: translateY(-2px); }
.product img { display: block; width: 100%; height: auto; aspect-ratio: 4 / 3; }
.product > :not(.picture) { margin: 0 16px; }
.product .category { margin-top: 14px; font-size: 0.78rem; text-transform: uppercase; letter-spacing: 0.06em; }
.product .category a { color: var(--soft); text-decoration: none; }
.product .name { font-size: 1.06rem; margin-top: 2px; }
.product .name a { color: var(--ink); text-decoration: none; }
.product .name a:hover { text-decoration: underline; }
.product .rating { margin-top: 4px; }
.product .buy { display: flex; align-items: baseline; gap: 8px; flex-wrap: wrap; margin-top: auto; padding: 12px 0 16px; }
.rating { color: var(--amber); font-size: 0.92rem; }
.rating .reviews, .was, .stock { color: var(--soft); font-size: 0.88rem; }
.price { font-weight: 700; font-size: 1.16rem; }
.stock { margin-left: auto; }
.stock.low { color: var(--amber); }
.stock.out { color: var(--red); }
.pages { display: flex; justify-content: center; flex-wrap: wrap; gap: 6px; margin-top: 36px; }
.pages a, .pages span { min-width: 42px; padding: 8px 12px; text-align: center; border: 1px solid var(--line); border-radius: 10px; background: var(--card); text-decoration: none; color: var(--ink); }
.pages [aria-current] { background: var(--leaf); border-color: var(--leaf); color: #fff; }

.detail { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: 40px; align-items: start; }
.detail .picture img { width: 100%; height: auto; display: block; border-radius: 18px; border: 1px solid var(--line); }
.detail .rating { margin: 10px 0 18px; }
.detail .price { font-size: 1.9rem; }
.detail h1 { margin: 0; }
.detail .brand-name { margin: 8px 0 2px; }
.detail .stock { margin-left: 0; }
.detail .buy { display: flex; align-items: baseline; gap: 12px; margin: 16px 0; }
.tags { display: flex; flex-wrap: wrap; gap: 8px; padding: 0; margin: 18px 0 0; list-style: none; }
.tags li { background: var(--tint); color: var(--leaf-dark); border-radius: 999px; padding: 2px 12px; font-size: 0.86rem; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr); gap: 40px; margin-top: 44px; align-items: start; }
.columns h2 { font-size: 1.3rem; margin: 0 0 12px; }
.review { border-top: 1px solid var(--line); padding: 14px 0; }
.review p { margin: 4px 0 0; }
.review .author { font-weight: 600; }
.review time { float: right; font-size: 0.88rem; }

button, .button { display: inline-block; font: inherit; font-weight: 600; border: 0; border-radius: 10px; padding: 11px 22px; background: var(--leaf); color: #fff; cursor: pointer; text-decoration: none; }
button:hover, .button:hover { background: var(--leaf-dark); }
button:disabled { background: #b9c2bb; cursor: default; }
button.plain { background: var(--tint); color: var(--leaf-dark); }
input:not([type=checkbox]) { font: inherit; color: inherit; background: #fff; border: 1px solid #c6cdc4; border-radius: 10px; padding: 10px 14px; }
label { display: block; font-weight: 600; margin: 16px 0 6px; }
label.check { display: flex; gap: 10px; align-items: center; font-weight: 400; }
.panel > p:first-child { margin-top: 0; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 18px; padding: 32px; }
.narrow { max-width: 430px; margin: 16px auto; }
.narrow input:not([type=checkbox]), .narrow button { width: 100%; }
.narrow button { margin-top: 22px; }
.note { background: var(--tint); border-radius: 10px; padding: 10px 14px; font-size: 0.92rem; margin: 16px 0 0; }
.note.bad { background: #fbeceb; color: var(--red); }

.hero { display: grid; grid-template-columns: minmax(0, 1.3fr) minmax(0, 1fr); gap: 40px; align-items: center; margin-bottom: 44px; }
.hero h1 { font-size: 2.7rem; }
.hero p { font-size: 1.1rem; color: var(--soft); max-width: 56ch; }
.hero img { width: 100%; height: auto; border-radius: 14px; }
.collage { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.area { margin-top: 36px; }
.area h2 { font-size: 1.3rem; margin: 0 0 10px; }
.queries { display: grid; gap: 10px; padding: 0; margin: 0; list-style: none; }
.queries li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px 16px; }
.queries code { display: block; color: var(--leaf-dark); overflow-wrap: anywhere; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
table { width: 100%; border-collapse: collapse; font-size: 0.95rem; }
th, td { text-align: left; vertical-align: top; padding: 9px 16px; border-top: 1px solid var(--line); }
tr:first-child > * { border-top: 0; }
thead th { background: var(--tint); font-size: 0.86rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.addresses td:first-child { width: 38%; overflow-wrap: anywhere; }
.addresses .method { color: var(--soft); font-size: 0.78rem; }

@media (max-width: 1020px) {
  .top nav { order: 3; flex-basis: 100%; flex-wrap: nowrap; overflow-x: auto; }
  .search { margin-left: auto; }
}
@media (max-width: 760px) {
  .wrap { padding: 0 16px; }
  main.wrap { padding-block: 24px 48px; }
  .detail, .columns, .hero { grid-template-columns: minmax(0, 1fr); gap: 24px; }
  .hero h1 { font-size: 2rem; }
  .search { display: none; }
  .side { margin-left: auto; }
  .products { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; }
  .product > :not(.picture) { margin-inline: 12px; }
  .product .buy { gap: 2px 8px; }
  .product .stock { margin-left: 0; flex-basis: 100%; }
  .panel { padding: 22px; }
  th, td { padding: 8px 12px; }
  .addresses td { display: block; width: auto !important; }
  .addresses td + td { border-top: 0; padding-top: 0; color: var(--soft); }
}
`
