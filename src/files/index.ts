/** The only place that knows the disk: names, locks, whole files written atomically, logs that are appended to. */
export { AppendLog, type LogPosition } from "./append-log.js";
export { CachedFile } from "./cached-file.js";
export { errorCode } from "./error-code.js";
export { isSettled, stampOf } from "./file-stamp.js";
export { tryLock, withLock } from "./lock.js";
export { moveAside } from "./move-aside.js";
export { readText } from "./read-text.js";
export { removeFile } from "./remove-file.js";
export { removeWithTraces } from "./remove-traces.js";
export { safeName } from "./safe-name.js";
export { writeAtomic } from "./write-atomic.js";
