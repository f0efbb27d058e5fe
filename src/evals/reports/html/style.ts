/** The report's one style sheet: both themes, no outside asset, print too. Its digest stands in the page's content security policy. */
export const style = `
:root{color-scheme:light dark;--canvas:#f3f5f7;--surface:#fff;--inset:#f8f9fb;--line:#dce1e8;--edge:#848e9c;--text:#171c24;--text2:#454f5d;--text3:#5f6978;
--accent:#1546cf;--done:#07785c;--done-g:#e1f3ef;--stop:#86151a;--stop-g:#fae7e7;--wait:#8f5e06;--wait-g:#fbf0da;--bar:#6c80a3;--bar2:#a3b3cc;--ink:#31405a}
@media (prefers-color-scheme:dark){:root{--canvas:#0f1216;--surface:#161a20;--inset:#1b2027;--line:#2b323c;--edge:#707b8a;--text:#e8ebef;--text2:#b7bfca;--text3:#959fac;
--accent:#a9cbff;--done:#52d7ab;--done-g:#10302a;--stop:#ff6b6e;--stop-g:#3c1c19;--wait:#e6b137;--wait-g:#33270f;--bar:#5a6a87;--bar2:#3a465b;--ink:#c3d0e6}}
*{box-sizing:border-box}
body{margin:0;background:var(--canvas);color:var(--text);font:14px/20px system-ui,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1120px;margin:0 auto;padding:24px 24px 64px}
h1{font:600 20px/28px system-ui,"Segoe UI",Roboto,sans-serif;margin:0}
h2{font:600 16px/24px system-ui,"Segoe UI",Roboto,sans-serif;margin:32px 0 8px}
h3{font:600 13px/18px system-ui,"Segoe UI",Roboto,sans-serif;margin:0 0 8px}
p{margin:0 0 8px}
.meta{color:var(--text3);font-size:12px;line-height:16px;overflow-wrap:anywhere}
.head{display:flex;gap:12px;align-items:center;flex-wrap:wrap;margin-bottom:4px}
.chip{display:inline-block;white-space:nowrap;border:1px solid currentColor;border-radius:4px;padding:0 8px;font-size:13px;line-height:20px;font-weight:600}
.passed{color:var(--done);background:var(--done-g)}
.failed{color:var(--stop);background:var(--stop-g)}
.broke{color:var(--wait);background:var(--wait-g)}
.quiet{color:var(--text2);background:var(--inset)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:16px 0}
.card{background:var(--surface);border:1px solid var(--line);border-radius:6px;padding:12px}
.card b{display:block;font:600 20px/28px system-ui,"Segoe UI",Roboto,sans-serif}
.card span{color:var(--text3);font-size:12px;line-height:16px}
.wide{overflow-x:auto;background:var(--surface);border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:13px;line-height:18px}
th,td{text-align:left;vertical-align:top;padding:7px 12px;border-bottom:1px solid var(--line)}
tr:last-child>td{border-bottom:0}
th{color:var(--text3);font-weight:500;white-space:nowrap}
.num{text-align:right;white-space:nowrap}
.why{overflow-wrap:anywhere;min-width:240px}
.name{overflow-wrap:anywhere;min-width:150px}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:12px;align-items:start}
.plot{background:var(--surface);border:1px solid var(--line);border-radius:6px;padding:12px}
.plot:first-child{grid-row:span 2}
.plot svg{display:block;width:100%;height:auto}
svg text{fill:var(--text2);font:12px system-ui,"Segoe UI",Roboto,sans-serif}
svg .value{fill:var(--text);font-weight:600}
.ground{fill:var(--inset)}.fill{fill:var(--bar)}.low{fill:var(--stop)}.axis{stroke:var(--line)}.ideal{stroke:var(--edge);stroke-dasharray:4 4}
.before{stroke:var(--accent);stroke-width:2}.dot{fill:var(--ink)}.link{stroke:var(--ink);fill:none;stroke-width:1.5}.count{fill:var(--bar2)}
details{background:var(--surface);border:1px solid var(--line);border-radius:6px;margin-bottom:8px}
summary{cursor:pointer;padding:8px 12px;overflow-wrap:anywhere}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
summary .chip{margin-right:8px}
details>div{padding:4px 12px 12px;border-top:1px solid var(--line)}
.wide+details{margin-top:8px}
details details{background:var(--inset);margin:8px 0 0}
blockquote{margin:4px 0 8px;padding:8px 12px;border-left:2px solid var(--edge);background:var(--inset);white-space:pre-wrap;overflow-wrap:anywhere}
ul{margin:4px 0 8px;padding-left:20px}
li{overflow-wrap:anywhere}
code{font:12px/16px ui-monospace,"Cascadia Mono","Roboto Mono",monospace}
details .wide{margin-top:8px}
@media (forced-colors:active){.chip{border-color:CanvasText}.fill,.count,.dot{fill:CanvasText}.low{fill:Mark}}
@media (max-width:600px){main{padding:16px 12px 48px}th,td{padding:6px 8px}}
@media print{body{background:#fff}details{break-inside:avoid}}
`;
