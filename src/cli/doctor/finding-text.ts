import type { DoctorTexts } from "../../locales/people-doctor.js";
import type { Finding } from "./finding.js";

export function findingText({ code, values }: Finding, texts: DoctorTexts): string {
  return texts.findings[code].what(values);
}

export function cureText({ code, values }: Finding, texts: DoctorTexts): string | undefined {
  return texts.findings[code].cure?.(values);
}
