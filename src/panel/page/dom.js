/**
 * Makes an element. Texts become text nodes, whatever they hold; nothing here or elsewhere in the page parses HTML.
 * Of the properties, `on…` are listeners, `aria-…`, `role` and `for` attributes, the rest properties of the element.
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(made.dataset, value);
    else if (/^aria-|^role$|^for$|^list$/u.test(name)) made.setAttribute(name, value);
    else made[name] = value;
  }
  made.append(
    ...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== undefined && child !== false),
  );
  return made;
}

/** Says something, and writes to the page only where that changes it: an unchanged text is not read out again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setHidden(node, hidden) {
  if (node.hidden !== hidden) node.hidden = hidden;
}

/**
 * Brings the children of a list in line with the items, and keeps every row that stays: what is focused, opened or being
 * typed in it is not lost when something changes elsewhere.
 */
export function reconcile(list, rows, items, keyOf, makeRow) {
  const present = new Set(items.map(keyOf));
  for (const [key, row] of rows) {
    if (present.has(key) || row.mustStay?.()) continue;
    row.node.remove();
    rows.delete(key);
  }
  let place = list.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let row = rows.get(key);
    if (row === undefined) {
      row = makeRow(item);
      rows.set(key, row);
    }
    row.update(item);
    if (row.node === place) place = place.nextElementSibling;
    else list.insertBefore(row.node, place);
  }
}
