/** Scrolls a terminal by touch, which its library does not do. */
import type { Terminal } from '@xterm/xterm';

export function scrollByTouch(host: HTMLElement, terminal: Terminal): void {
  let last: number | undefined;
  let rest = 0;
  host.addEventListener(
    'touchstart',
    ({ touches }) => {
      last = touches.length === 1 ? touches[0]?.clientY : undefined;
      rest = 0;
    },
    { passive: true },
  );
  host.addEventListener(
    'touchmove',
    (event) => {
      const now = event.touches[0]?.clientY;
      if (last === undefined || now === undefined) return;
      event.preventDefault();
      rest += last - now;
      last = now;
      const lines = Math.trunc(rest / rowHeight(host, terminal));
      rest -= lines * rowHeight(host, terminal);
      if (lines !== 0) terminal.scrollLines(lines);
    },
    { passive: false },
  );
}

const rowHeight = (host: HTMLElement, { rows }: Terminal): number => Math.max(1, host.clientHeight / rows);
