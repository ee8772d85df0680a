import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMemoryMiddleware, createSkillsMiddleware, FilesystemBackend } from "deepagents";
import { appAgent } from "../app.mjs";
import { writeRulesAndSkills } from "../rules-and-skills.mjs";

/** The same facts, rules and skills as in files of its own. It learns only where the agent edits them by a tool. */
export async function create({ baseURL, dir, facts = [] }) {
  const { rules } = await writeRulesAndSkills(dir, {
    rulePath: (number) => join("rules", String(number), "AGENTS.md"),
    skillPath: (number) => join("skills", `skill-${number}`, "SKILL.md"),
  });
  await writeFile(join(dir, "AGENTS.md"), facts.map((fact) => `- ${fact}\n`).join(""));
  const backend = new FilesystemBackend({ rootDir: dir, virtualMode: true });
  const sources = ["/AGENTS.md", ...rules.map((path) => `/${path}`)];
  const ask = appAgent(baseURL, {
    middleware: [
      createSkillsMiddleware({ backend, sources: ["/skills/"] }),
      createMemoryMiddleware({ backend, sources }),
    ],
  });
  return { turn: ({ session, text, onToken }) => ask(text, session, onToken) };
}
