/**
 * What a JSON report of Vitest's says.
 *
 *     node .ci/read-report.mjs count <file>      how many passed and how many failed
 *     node .ci/read-report.mjs failures <file>   a line for each that failed: file, name, beginning of the message
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const [, , wanted, file] = process.argv;
const { testResults } = JSON.parse(readFileSync(file, "utf8"));
const tests = testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ fullName, status, failureMessages }) => ({
    name,
    fullName,
    status,
    failureMessages,
  })),
);
/** A file that can't even be loaded, or whose preparation failed, is a failure that no test of its own tells. */
const untold = testResults.filter(
  ({ status, assertionResults }) =>
    status === "failed" && !assertionResults.some((test) => test.status === "failed"),
);
const failed = tests.filter(({ status }) => status === "failed");

if (wanted === "count") {
  console.log(tests.filter(({ status }) => status === "passed").length, failed.length + untold.length);
} else {
  for (const { name, fullName, failureMessages } of failed) tell(name, fullName, failureMessages[0]);
  for (const { name, message } of untold) tell(name, "the file", message);
}

function tell(path, name, message = "") {
  const [first = ""] = message.split("\n").filter((line) => line.trim() !== "");
  console.log(`${relative(process.cwd(), path)} > ${name}: ${first.trim().slice(0, 200)}`);
}
