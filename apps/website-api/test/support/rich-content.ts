import { PIXEL_PNG, post } from './content-folder.ts';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 200" width="720" height="200">
  <rect width="720" height="200" fill="#f7f3ea"/><path d="M20 180 L200 120 L400 140 L700 30" fill="none" stroke="#0f5370" stroke-width="4"/>
</svg>`;

/** A post with every supported element, and two plain posts. */
export const richContent: Record<string, string | Buffer> = {
  'posts/everything/index.md': post(
    `The last XID is a *gauge*, and reads like a **count**. See [the other post](../second.md) and \`nvidia-smi -q\`[^gauge].

## What the kernel says

\`\`\`sh
# the driver's own words
dmesg --time-format iso | grep -E 'NVRM: Xid' | tail -n 3
\`\`\`

\`\`\`sql
SELECT gpu_id, count(*) AS events FROM fleet.xid_events WHERE code = 79 GROUP BY gpu_id; -- one row a GPU
\`\`\`

\`\`\`yaml
rules:
  - alert: GpuFellOffTheBus
    expr: increase(xid_events_total{code="79"}[5m]) > 0
    for: 0m
\`\`\`

### A table

| | Error | Action | Effect on health | Seen on |
|---:|---|---|---|---|
| 79 | GPU has fallen off the bus | restart the host | critical, then missing | every generation since Kepler |
| 94 | contained memory error | restart the application | degraded | A100 and newer |

> [!WARNING]
> A reset clears the evidence: copy \`dmesg\` first.

> An ordinary quotation.

![A line that rises](rise.svg "Temperature over ten minutes, in Celsius")

- [x] drained
- [ ] reset

1. First
2. Second
   - within

Attached: [the rules](rules.yaml).

<details><summary>More</summary><p>Hidden details.</p></details>

[^gauge]: A gauge shows the last value only.
`,
    'title: "XID errors: a gauge is not a count"\ndate: 2026-10-01\nlastmod: 2026-10-03\nauthor: Ada Lovelace\n' +
      'category: Engineering\ntags: [xid, dcgm, Fault isolation]\nfeatured: true\nimage: ../pixel.png\n' +
      'summary: Why a dashboard that shows the last XID code hides most of the errors, and how to count them from what it shows.',
  ),
  'posts/everything/rise.svg': SVG,
  'posts/everything/rules.yaml': 'rules: []\n',
  'posts/second.md': post(
    'Der Text ist deutsch.',
    'title: Ein zweiter Beitrag\ndate: 2026-09-01\nlang: de\ncategory: Engineering\ntags: [xid]\nauthor: Grace Hopper',
  ),
  'posts/third.md': post(
    'Short.',
    'title: 9223372036854776000 % utilization is a third one\ndate: 2026-08-01\ncategory: Security\ncanonical_url: https://first.example/third',
  ),
  'posts/pixel.png': PIXEL_PNG,
};
