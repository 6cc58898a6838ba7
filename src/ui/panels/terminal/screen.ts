/** The page's terminal as the screen of a shell. */
import type { Terminal } from '@xterm/xterm';
import type { Screen } from '../../../terminal/index.ts';

export function screenOf(terminal: Terminal): Screen {
  let marked: ReturnType<Terminal['registerMarker']> | undefined;
  return {
    write: (text) => new Promise((resolve) => terminal.write(text, resolve)),
    clear: () => terminal.clear(),
    mark: (above) => {
      marked?.dispose();
      marked = terminal.registerMarker(-above);
    },
    get belowMark() {
      const { baseY, cursorY } = terminal.buffer.active;
      return marked && !marked.isDisposed ? baseY + cursorY - marked.line : undefined;
    },
    get size() {
      return { columns: terminal.cols, rows: terminal.rows };
    },
  };
}
