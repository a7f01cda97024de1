// What touches the document: text by textContent alone, and nothing is written that has not changed.

/** A new element with a class and text, both of which may be left out. */
export function element(tag, className = '', text = '') {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

export const byId = (id) => document.getElementById(id);

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setClass(node, className) {
  if (node.className !== className) node.className = className;
}

export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

export function setHidden(node, isHidden) {
  if (node.hidden !== isHidden) node.hidden = isHidden;
}

/**
 * Makes the children of `parent` those of `items`, in their order. Each is made once by `create(item)` and brought up
 * to date by `update(child, item)`; those whose key is gone are removed, unless another parent has taken them.
 */
export function keyed(parent, items, { key, create, update }) {
  const known = (parent.knownChildren ??= new Map());
  const wanted = new Set(items.map(key));
  for (const [name, child] of known) {
    if (!wanted.has(name)) {
      known.delete(name);
      if (child.parentNode === parent) child.remove();
    }
  }
  let at = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    if (!known.has(name)) known.set(name, create(item));
    const child = known.get(name);
    if (child === at) at = at.nextElementSibling;
    else parent.insertBefore(child, at);
    update(child, item);
  }
}

/** Makes the text of the children of `parent`, elements of one kind, these texts. */
export function texts(parent, tag, lines) {
  while (parent.children.length > lines.length) parent.lastElementChild.remove();
  while (parent.children.length < lines.length) parent.append(document.createElement(tag));
  lines.forEach((line, at) => setText(parent.children[at], line));
}
