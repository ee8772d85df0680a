import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const count = 10;
const bytes = 1400;

/** Ten rules and ten skills of 1400 bytes: as many as fit our budgets, so that everyone's are the same. Gives their paths. */
export async function writeRulesAndSkills(dir, { rulePath, skillPath }) {
  const rules = Array.from({ length: count }, (_, number) => rulePath(number));
  const skills = Array.from({ length: count }, (_, number) => skillPath(number));
  for (const [number, path] of rules.entries()) await write(join(dir, path), `# Rule ${number}\n`);
  for (const [number, path] of skills.entries()) {
    await write(
      join(dir, path),
      `---\nname: skill-${number}\ndescription: For work of kind ${number}.\n---\n\n# Skill ${number}\n`,
    );
  }
  return { rules, skills };
}

async function write(path, head) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(
    path,
    `${head}${"Name things by what they are, and test what you changed.\n".repeat(40)}`.slice(0, bytes),
  );
}
