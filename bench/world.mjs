import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** A folder for one measurement, gone when it is over. */
export async function inTemporaryFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "memory-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** 10 rules and 10 skills of 4 KB each and 100 memories, all last changed an hour ago. Gives their paths. */
export async function writeWorld(dir) {
  const files = [];
  for (const kind of ["rules", "skills"]) {
    await mkdir(join(dir, kind), { recursive: true });
    for (let number = 0; number < 10; number++) {
      const path = join(dir, kind, `file-${number}.md`);
      const head = `---\nname: file ${number}\ndescription: measured\n---\n`;
      await writeFile(
        path,
        head + "Answer in one short paragraph. ".repeat(200).slice(0, 4096 - head.length),
      );
      files.push(path);
    }
  }
  await mkdir(join(dir, "memory"), { recursive: true });
  const memories = Array.from({ length: 100 }, (_, number) => ({
    id: randomUUID(),
    content: `The user told us fact number ${number}, which is about as long as facts usually are.`,
    createdAt: 1_700_000_000_000 + number,
    sourceScope: "global",
  }));
  const memoryFile = join(dir, "memory", "memory.json");
  await writeFile(memoryFile, JSON.stringify(memories, undefined, 2));
  const anHourAgo = new Date(Date.now() - 3_600_000);
  for (const path of [...files, memoryFile]) await utimes(path, anHourAgo, anHourAgo);
  return { assetFiles: files, memoryFile };
}

/** Until the files count as unchanged: just written, they would be read anew at each call. */
export const settleFiles = () => wait(500);

/** A model that is never asked anything here: it only makes the memory record. */
export const idleModel = { invoke: async () => ({ content: "[]" }) };
