/** A day as `2026-12-01`, in the time zone of this process. */
export function localDate(time: Date): string {
  return [
    String(time.getFullYear()).padStart(4, "0"),
    String(time.getMonth() + 1).padStart(2, "0"),
    String(time.getDate()).padStart(2, "0"),
  ].join("-");
}

/** The day so many days before, whatever the clock does in spring and autumn. */
export function daysBefore(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return localDate(new Date(year, month - 1, date - days, 12));
}
