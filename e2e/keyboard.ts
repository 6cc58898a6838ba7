/** What of a page could be done with a pointer alone. */
import type { Page } from '@playwright/test';

/** What React was given for an element stands beside it under a name that begins so. */
const PROPS = '__reactProps$';

/** What can be pressed, dragged or double-clicked, but neither focused nor reached through what can be; a line for each. */
export const pointerOnly = (page: Page, name: string): Promise<readonly string[]> =>
  page.evaluate(
    ({ where, props }) => {
      const handlers = ['onClick', 'onDoubleClick', 'onMouseDown', 'onPointerDown', 'onDragStart', 'onContextMenu'];
      // The editor folds by keys of its own (Ctrl+Shift+[).
      const editor = '.monaco-editor';
      // An option of a list is chosen with the arrows of the field or list that controls it.
      const focusable =
        'a[href], area[href], button, input, select, textarea, summary, label, [tabindex], [contenteditable], [role="option"]';
      const propsOf = (element: Element): Readonly<Record<string, unknown>> => {
        const key = Object.keys(element).find((each) => each.startsWith(props));
        return key === undefined ? {} : (Reflect.get(element, key) as Readonly<Record<string, unknown>>);
      };
      const seems = (element: Element): boolean => {
        const { cursor } = getComputedStyle(element);
        const parent = element.parentElement && getComputedStyle(element.parentElement).cursor;
        return /pointer|grab|resize/.test(cursor) && cursor !== parent;
      };
      const takes = (element: Element): boolean => {
        const given = propsOf(element);
        return handlers.some((handler) => typeof given[handler] === 'function') || given['draggable'] === true;
      };
      const describe = (element: Element): string => element.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 160);
      return [...document.body.querySelectorAll('*')]
        .filter((element) => (takes(element) || seems(element)) && element.checkVisibility())
        .filter((element) => element.closest(`${focusable}, ${editor}`) === null)
        .map((element) => `${where}: only by pointer: ${describe(element)}`);
    },
    { where: name, props: PROPS },
  );
