/** Milliseconds of processor time that the work takes: unlike the clock, it leaves out what else the machine does. */
export async function cpuTimeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
