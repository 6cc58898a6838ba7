import { useReducer } from 'preact/compat';

/**
 * For a control that shows what its owner says: what the owner does not take, or takes in another form, must not stay in it.
 * Preact compares it with what is shown only where it draws the control, so that is done after each change.
 */
export function useControlled<T>(change: (value: T) => void): (value: T) => void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  return (value) => {
    change(value);
    redraw(undefined);
  };
}
