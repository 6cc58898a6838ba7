/** Whether the focus belongs into the list that is shown: after a command that led there, until a person moves it. */
import { create } from '../store.ts';

export const useEntering = create<{ readonly entering: boolean }>()(() => ({ entering: false }));

const MOVES = ['keydown', 'pointerdown'] as const;

/** Sends the focus into the list that comes, as soon as it has rows. */
export function enterList(): void {
  const end = (): void => {
    useEntering.setState({ entering: false });
    for (const move of MOVES) window.removeEventListener(move, end, { capture: true });
  };
  useEntering.setState({ entering: true });
  for (const move of MOVES) window.addEventListener(move, end, { capture: true });
}
