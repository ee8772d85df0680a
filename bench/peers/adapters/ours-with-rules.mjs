import { join } from "node:path";
import { writeRulesAndSkills } from "../rules-and-skills.mjs";
import { create as createOurs } from "./ours.mjs";

/** The same facts, rules and skills as deepagents has. */
export async function create(options) {
  await writeRulesAndSkills(options.dir, {
    rulePath: (number) => join("rules", `rule-${number}.md`),
    skillPath: (number) => join("skills", `skill-${number}.md`),
  });
  return createOurs(options);
}
