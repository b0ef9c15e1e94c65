/** Elements without HTML: all text is text. */

type Child = Node | string | null | false;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return element;
}

export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as E;
}

/** Shows one child for each item. The children stay where they are, and with them the focus. */
export function sync<T, E extends HTMLElement>(
  parent: HTMLElement,
  items: readonly T[],
  make: (index: number) => E,
  update: (element: E, item: T, index: number) => void,
): void {
  while (parent.children.length > items.length) parent.lastElementChild?.remove();
  while (parent.children.length < items.length) parent.append(make(parent.children.length));
  items.forEach((item, index) => update(parent.children[index] as E, item, index));
}

/** Sets a text only if it changes, so that screen readers do not repeat it. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows a message at the top of the page; an empty one hides it. */
export function notify(message: string): void {
  setText(byId("notice"), message);
  byId("notice").hidden = message === "";
}
