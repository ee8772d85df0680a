/** How many pairs are measured; the median of 15 stands still although this machine does other things too. */
const defaultPairs = 15;

export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Measures two works in turn, so that whatever slows the machine for a moment slows both. Each gives its milliseconds. The
 * order changes from pair to pair: neither always comes second.
 */
export async function pairedMedians(ours, theirs, { warmUp, pairs = defaultPairs }) {
  const times = { ours: [], theirs: [] };
  for (let pair = -warmUp; pair < pairs; pair++) {
    const order = [
      ["ours", ours],
      ["theirs", theirs],
    ];
    if (pair % 2 !== 0) order.reverse();
    for (const [name, work] of order) {
      const milliseconds = await work();
      if (pair >= 0) times[name].push(milliseconds);
    }
  }
  return { ours: median(times.ours), theirs: median(times.theirs) };
}

/**
 * Milliseconds of one call, averaged over some: a single one lasts less than the machine's hiccups. `between` is awaited
 * after each call and not counted.
 */
export function timed(work, calls, between = async () => {}) {
  return async () => {
    let milliseconds = 0;
    for (let call = 0; call < calls; call++) {
      const start = performance.now();
      await work();
      milliseconds += performance.now() - start;
      await between();
    }
    return milliseconds / calls;
  };
}
