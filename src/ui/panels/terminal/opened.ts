/** What the page asks of its terminal. The terminal itself is fetched when it is first shown (`session.ts`). */
import { create } from '../../store.ts';
import { showDock } from '../../shell/overlay.ts';

export const DOCK = 'terminal';

interface TerminalState {
  /** Command lines that are to be put into the terminal, each once. */
  readonly wanted: readonly string[];
  /** How often the keyboard was sent into the terminal. */
  readonly entered: number;
  /** What the line is called that was put last; empty if the terminal was only opened. */
  readonly put: string;
  /** Puts the next command of a talk; undefined if no talk is given. */
  readonly putNext: (() => void) | undefined;
  /** A text that waits in the editor. */
  readonly editing: Editing | undefined;
  /** As whom commands ask, and in which namespace, where another context than the page's is chosen. */
  readonly chosen: { readonly user: string; readonly namespace: string } | undefined;
}

export const useTerminal = create<TerminalState>()(() => ({
  ...{ wanted: [], entered: 0, put: '', putNext: undefined, editing: undefined, chosen: undefined },
}));

/** A text of the terminal that somebody changes in the editor. */
export interface Editing {
  readonly title: string;
  readonly text: string;
  /** Returns the saved text; undefined if nothing was saved. */
  readonly finish: (text: string | undefined) => void;
}

/** Opens the terminal; puts a command line into it, which is run by Enter. `what` names the line for a screen reader. */
export function openTerminal(line?: string, what = 'The command'): void {
  useTerminal.setState(({ wanted, entered }) => ({
    entered: entered + 1,
    ...(line === undefined ? { put: '' } : { put: what, wanted: [...wanted, line] }),
  }));
  showDock(DOCK);
}
