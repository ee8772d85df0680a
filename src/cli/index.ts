#!/usr/bin/env node
import { runCli } from "./run.js";

void runCli(process).then((exitCode) => {
  process.exitCode = exitCode;
});
