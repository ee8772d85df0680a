/** Gives what sets the focus when this row is gone: the first button of the next one, or of the one before, or the search. */
export function focusNear(row) {
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  return () => {
    const next = neighbour?.isConnected ? neighbour.querySelector(".actions button") : undefined;
    (next ?? document.getElementById("memory-search")).focus();
  };
}
