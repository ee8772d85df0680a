import { contenders } from "./contenders.mjs";

const style = `
    .ground { fill: #ffffff; stroke: #d0d7de }
    .bar { fill: #8c959f }
    .ours { fill: #0969da }
    .one { stroke: #57606a; stroke-dasharray: 3 3 }
    text { fill: #1f2328; font: 13px system-ui, sans-serif }
    .head { font-weight: 600; font-size: 14px }
    .faint { fill: #57606a }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117; stroke: #3d444d }
      .bar { fill: #767e88 }
      .ours { fill: #4493f8 }
      .one { stroke: #9198a1 }
      text { fill: #f0f6fc }
      .faint { fill: #c0c8d0 }
    }
`;
const rowHeight = 26;
const top = 62;
const panels = { bytes: { x: 360, width: 200 }, time: { x: 640, width: 200 } };

/** Bars of prompt bytes and of the time of a turn, both as times of a bare agent's. Long ones are cut, and say how long. */
export function draw({ counts, times }, { chart, name }) {
  const total = ({ bytes, ownBytes }) => bytes + ownBytes;
  const rows = contenders
    .filter(({ id }) => counts?.rows[id] !== undefined)
    .map(({ id, isUntimed }) => ({
      id,
      isUntimed,
      bytes: total(counts.rows[id].long) / total(counts.rows.bare.long),
      time: times?.rows[id]?.turn20.median,
    }));
  const height = top + rows.length * rowHeight + 16;
  const parts = [
    `<rect class="ground" x="0.5" y="0.5" width="919" height="${height - 1}" rx="8"/>`,
    ...Object.keys(panels).flatMap((key) => panel(key, rows, chart, height)),
    ...rows.map(({ id }, at) => label(16, lineOf(at), name(id).replaceAll("`", ""))),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 ${height}" role="img" aria-label="${chart.title}">
  <title>${chart.title}</title>
  <style>${style}  </style>
${parts.map((part) => `  ${part}`).join("\n")}
</svg>
`;
}

function panel(key, rows, chart, height) {
  const { x, width } = panels[key];
  const most = Math.min(limits[key], Math.max(...rows.map((row) => row[key] ?? 1)));
  const scale = width / most;
  const bars = rows.map((row, at) => {
    const value = row[key];
    if (value === undefined) {
      return label(x + 6, lineOf(at), row.isUntimed ? chart.asAbove : chart.unmeasured, "faint");
    }
    const kind = row.id.startsWith("ours") ? "bar ours" : "bar";
    const length = Math.min(width, value * scale);
    const bar = `<rect class="${kind}" x="${x}" y="${lineOf(at) - 13}" width="${length.toFixed(1)}" height="17"/>`;
    return `${bar}${label(x + Math.max(length, scale) + 6, lineOf(at), value.toFixed(key === "time" ? 2 : 1))}`;
  });
  const one = (x + scale).toFixed(1);
  return [
    label(x, 32, chart[key], "head"),
    ...bars,
    `<path class="one" d="M${one} ${top - 14}V${height - 12}"/>`,
  ];
}

const limits = { bytes: 25, time: 5 };

const lineOf = (at) => top + at * rowHeight + 6;

function label(x, y, text, kind = "") {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text class="${kind}" x="${Number(x).toFixed(1)}" y="${y}">${escaped}</text>`;
}
