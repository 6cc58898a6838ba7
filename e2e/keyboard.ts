/** What of a page could be done with a pointer alone. */
import type { Page } from '@playwright/test';

/** The handlers that Preact was given for an element stand beside it under this name. */
const HANDLERS = '__e';

/** What can be pressed, dragged or double-clicked, but neither focused nor reached through what can be; a line for each. */
export const pointerOnly = (page: Page, name: string): Promise<readonly string[]> =>
  page.evaluate(
    ({ where, handlers }) => {
      const byPointer = ['onClick', 'onDblClick', 'onMouseDown', 'onPointerDown', 'onDragStart', 'onContextMenu'];
      // The editor folds by keys of its own (Ctrl+Shift+[).
      const editor = '.monaco-editor';
      // An option of a list is chosen with the arrows of the field or list that controls it.
      const focusable =
        'a[href], area[href], button, input, select, textarea, summary, label, [tabindex], [contenteditable], [role="option"]';
      const elements = [...document.body.querySelectorAll('*')];
      const handlersOf = (element: Element): Readonly<Record<string, unknown>> =>
        (Reflect.get(element, handlers) ?? {}) as Readonly<Record<string, unknown>>;
      if (!elements.some((element) => 'onClick' in handlersOf(element))) throw new Error('no handlers are found');
      const seems = (element: Element): boolean => {
        const { cursor } = getComputedStyle(element);
        const parent = element.parentElement && getComputedStyle(element.parentElement).cursor;
        return /pointer|grab|resize/.test(cursor) && cursor !== parent;
      };
      const takes = (element: Element): boolean => {
        const given = handlersOf(element);
        const isTaken = byPointer.some((handler) => typeof given[handler] === 'function');
        return isTaken || element.getAttribute('draggable') === 'true';
      };
      const describe = (element: Element): string => element.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 160);
      return elements
        .filter((element) => (takes(element) || seems(element)) && element.checkVisibility())
        .filter((element) => element.closest(`${focusable}, ${editor}`) === null)
        .map((element) => `${where}: only by pointer: ${describe(element)}`);
    },
    { where: name, handlers: HANDLERS },
  );
