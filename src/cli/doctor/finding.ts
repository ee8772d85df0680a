import type { FindingCode } from "../../locales/people-doctor.js";

/** One thing that a look at the files brought up. Holds names, counts and reasons; never what anybody wrote. */
export interface Finding {
  /** A fault breaks something, a warning will or may, a note explains. */
  readonly level: "fault" | "warning" | "note";
  readonly code: FindingCode;
  readonly values: Readonly<Record<string, string | number>>;
}

export function finding(level: Finding["level"], code: FindingCode, values: Finding["values"] = {}): Finding {
  return { level, code, values };
}
