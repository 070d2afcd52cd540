"""How the page looks on a screen, wide or narrow, light or dark, and on paper."""

from __future__ import annotations

__all__ = ["STYLE"]

# On a narrow screen, what stands from the sixth column on is out of sight: in one line it does not
# make its row high and, as far as can be seen, empty. Paper is narrow, too, but is not moved.
STYLE = """
:root{color-scheme:light dark;--ink:#1a1c1e;--paper:#fff;--faint:#5b6168;--rule:#d5d9de;\
--wash:#f4f6f8;--shade:#0003;--link:#0b5394;--good:#005b8f;--bad:#a83c00}
@media(prefers-color-scheme:dark){:root{--ink:#e4e6e8;--paper:#17191c;--faint:#a0a7ae;\
--rule:#3a3f45;--wash:#202327;--shade:#fff3;--link:#8ab8f0;--good:#6db8e8;--bad:#f0955c}}
*{box-sizing:border-box}
html{font-size:100%;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.55;\
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main,header,footer{max-width:62rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:2.5rem}
footer{padding-bottom:3rem;color:var(--faint);font-size:.875rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.35rem;line-height:1.3;margin:3rem 0 .75rem;padding-top:1rem;\
border-top:1px solid var(--rule)}
p,ul,dl{margin:.75rem 0;overflow-wrap:break-word}
p,li,dd{max-width:44rem}
li{margin:.3rem 0}
dl{display:grid;grid-template-columns:fit-content(14rem) 1fr;gap:.35rem 1.25rem}
dt{font-weight:600}
dd{margin:0;overflow-wrap:anywhere}
a{color:var(--link)}
.kind{color:var(--faint);margin:0 0 1.5rem}
.answer{background:var(--wash);border-left:.3rem solid var(--link);padding:.6rem 1.25rem;\
margin:1.25rem 0}
.answer h2{margin:.5rem 0;padding:0;border:0;font-size:1.1rem}
.strong{font-size:1.1rem;font-weight:600}
nav{margin:1.5rem 0;font-size:.9375rem}
nav h2{font-size:1rem;margin:0 0 .4rem;padding:0;border:0}
nav ol{columns:3 14rem;column-gap:2rem;margin:0;padding-left:1.5rem}
nav li{break-inside:avoid;margin:0 0 .35rem}
figure{margin:1.5rem 0 .25rem}
.wide{overflow-x:auto;container-type:inline-size;scrollbar-width:thin;\
background:linear-gradient(90deg,var(--paper) 40%,transparent) left/3rem 100% no-repeat local,\
linear-gradient(270deg,var(--paper) 40%,transparent) right/3rem 100% no-repeat local,\
linear-gradient(90deg,var(--shade),transparent) left/.8rem 100% no-repeat,\
linear-gradient(270deg,var(--shade),transparent) right/.8rem 100% no-repeat}
svg{display:block;max-width:none;height:auto;overflow:visible}
table{border-collapse:collapse;min-width:min(100%,26rem);font-size:.875rem;line-height:1.4;\
margin:1.25rem 0 .5rem;font-variant-numeric:tabular-nums}
figcaption{font-weight:600;font-size:.9375rem;overflow-wrap:anywhere}
figcaption .note{font-weight:400;margin-bottom:.25rem}
caption{text-align:left;font-weight:600;padding-bottom:.4rem;font-size:.9375rem;\
overflow-wrap:anywhere;position:sticky;left:0;max-width:calc(100vw - 2rem);max-width:100cqw}
th,td{padding:.28rem .7rem .28rem 0;text-align:left;vertical-align:top;\
border-bottom:1px solid var(--rule);overflow-wrap:break-word;max-width:26rem}
thead th{border-bottom:2px solid var(--faint);vertical-align:bottom}
tr>:first-child{min-width:8rem}
.n{text-align:right}
td.n{white-space:nowrap}
.b{overflow-wrap:anywhere;min-width:8rem}
.good{color:var(--good);font-weight:600}
.bad{color:var(--bad);font-weight:600}
.note{color:var(--faint);font-size:.8125rem;margin-top:.25rem}
@media(max-width:45rem){main,header,footer{padding-left:1rem;padding-right:1rem}\
dl{display:block}dt{margin-top:.5rem}h1{font-size:1.5rem}.answer{padding:.4rem .9rem}}
@media screen and (max-width:45rem){td:nth-child(n+6):not(.n){white-space:nowrap;max-width:none}}
@page{size:A4;margin:18mm 16mm}
@media print{
:root{color-scheme:light;--ink:#000;--paper:#fff;--faint:#444;--rule:#bbb;--wash:#fff;--link:#000;\
--good:#000;--bad:#000}
html{font-size:10pt}
body{line-height:1.4;orphans:3;widows:3}
main,header{max-width:none;padding:0}
h2{margin-top:2rem}
footer{display:none}
a{text-decoration:none}
.answer{border:1pt solid #888}
h1,h2,caption,thead,tbody>tr:first-child,.strong{break-after:avoid}
figure,tr,li,dd,.note,section>div{break-inside:avoid}
.note,tbody>tr:last-child{break-before:avoid}
section>div.long{break-inside:auto}
thead{display:table-header-group}
.wide{overflow:visible;background:none}
svg{max-width:100%;max-height:225mm;width:auto}
table{font-size:8.5pt}
}
""".strip()
