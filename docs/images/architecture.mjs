/**
 * Draws the picture of the architecture page, in both languages:
 *
 *     node docs/images/architecture.mjs
 *
 * It has a ground of its own and colours for dark mode, so it can be read on any page.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const texts = {
  en: {
    file: "architecture.svg",
    title: "One turn: load, assemble, call, record; then in the background extract, merge, store",
    doors: "doors",
    doorNames: ["chain", "LCEL", "agent", "tools", "command", "page"],
    turn: "one turn",
    background: "in the background",
    steps: [
      ["load", "rules, skills, memories"],
      ["assemble", "five segments, budgets"],
      ["call", "your model"],
      ["record", "one append"],
    ],
    later: [
      ["extract", "from 4000 characters on"],
      ["merge", "with what is stored now"],
      ["store", "atomic, under a lock"],
    ],
    waiting: "what waits",
    home: "files in ai/, or a LangGraph store",
  },
  "zh-CN": {
    file: "architecture.zh-CN.svg",
    title: "一轮对话：读取、组装、调用、记录；随后在后台提取、合并、保存",
    doors: "入口",
    doorNames: ["链", "LCEL", "agent", "工具", "命令行", "设置页"],
    turn: "一轮对话",
    background: "后台",
    steps: [
      ["读取", "规则、技能、记忆"],
      ["组装", "五段，各有预算"],
      ["调用", "你的模型"],
      ["记录", "一次追加"],
    ],
    later: [
      ["提取", "攒满 4000 个字符"],
      ["合并", "并入此刻的记忆"],
      ["保存", "加锁，原子写入"],
    ],
    waiting: "排队的对话",
    home: "ai/ 里的文件，或 LangGraph 存储",
  },
};

const style = `
    .ground { fill: #ffffff; stroke: #d0d7de }
    .box { fill: #f6f8fa; stroke: #57606a }
    .later { fill: #ddf4ff; stroke: #0969da }
    .home { fill: #dafbe1; stroke: #1a7f37 }
    .line { fill: none; stroke: #57606a; stroke-width: 1.5 }
    .head { fill: #57606a }
    text { fill: #1f2328; font: 14px system-ui, sans-serif; text-anchor: middle }
    .name { font-weight: 600; font-size: 15px }
    .small { fill: #57606a; font-size: 12px }
    .label { fill: #57606a; font-size: 13px; text-anchor: start }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117; stroke: #3d444d }
      .box { fill: #151b23; stroke: #9198a1 }
      .later { fill: #0c2d4f; stroke: #4493f8 }
      .home { fill: #12341d; stroke: #3fb950 }
      .line { stroke: #9198a1 }
      .head { fill: #9198a1 }
      text { fill: #f0f6fc }
      .small, .label { fill: #c0c8d0 }
    }
`;

export function draw(language) {
  const { title, doors, doorNames, turn, background, steps, later, waiting, home } = texts[language];
  const parts = [
    `<rect class="ground" x="0.5" y="0.5" width="799" height="459" rx="8"/>`,
    label(24, 34, doors),
    ...doorNames.map((name, at) => box("box", 24 + at * 128, 46, 112, 36, [name])),
    arrow(400, 90, 400, 122),
    label(24, 114, turn),
    ...steps.map((step, at) => box("box", 24 + at * 192, 126, 176, 60, step)),
    ...steps.slice(1).map((_, at) => arrow(200 + at * 192, 156, 216 + at * 192, 156)),
    arrow(688, 186, 688, 250),
    small(688 + 8, 222, waiting, "start"),
    label(100, 244, background),
    ...later.map((step, at) => box("later", 600 - at * 250, 254, 176, 60, step)),
    ...later.slice(1).map((_, at) => arrow(600 - at * 250, 284, 526 - at * 250 + 4, 284)),
    arrow(188, 314, 188, 370),
    arrow(60, 370, 60, 190),
    box("home", 24, 374, 752, 56, [home]),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 460" role="img" aria-label="${title}">
  <title>${title}</title>
  <style>${style}  </style>
  <marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
    <path class="head" d="M0 0 8 4 0 8z"/>
  </marker>
${parts.map((part) => `  ${part}`).join("\n")}
</svg>
`;
}

function box(kind, x, y, width, height, [name, note]) {
  const middle = x + width / 2;
  const base = y + height / 2 + 5;
  const shape = `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>`;
  if (note === undefined) return `${shape}<text x="${middle}" y="${base}">${name}</text>`;
  return `${shape}<text class="name" x="${middle}" y="${base - 8}">${name}</text>${small(middle, base + 12, note)}`;
}

function small(x, y, text, anchor = "middle") {
  return `<text class="small" x="${x}" y="${y}" style="text-anchor: ${anchor}">${text}</text>`;
}

function label(x, y, text) {
  return `<text class="label" x="${x}" y="${y}">${text}</text>`;
}

function arrow(fromX, fromY, toX, toY) {
  return `<path class="line" marker-end="url(#head)" d="M${fromX} ${fromY} ${toX} ${toY}"/>`;
}

const path = fileURLToPath(import.meta.url);
if (process.argv[1] === path) {
  for (const [language, { file }] of Object.entries(texts)) {
    await writeFile(new URL(file, import.meta.url), draw(language));
  }
}
