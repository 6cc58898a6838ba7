import { useState, type KeyboardEvent } from 'preact/compat';
import { later, Modal } from '../parts/index.ts';
import { hideOverlay, useOverlay } from './overlay.ts';
import styles from './Palette.module.css';

const PaletteList = later(() => import('./PaletteList.tsx'), null);

const optionId = (index: number): string => `palette-${index}`;

/** Goes anywhere and does anything, by a few letters. The field is there at once: what is typed while the list is on its way is not lost. */
export function Palette() {
  return (
    <Modal className={styles.palette} first="input" aria-label="Find anything" onClose={hideOverlay}>
      <Finder />
    </Modal>
  );
}

function Finder() {
  const [text, setText] = useState(useOverlay.getState().text);
  const [active, setActive] = useState(0);
  const [entered, setEntered] = useState(false);
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'ArrowDown') setActive(active + 1);
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else if (event.key === 'Enter') setEntered(true);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={optionId(active)}
        aria-label="Find anything"
        className={styles.input}
        placeholder="An object, a panel, a command, --flag; :pod default; pod.spec."
        value={text}
        spellcheck={false}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setEntered(false);
        }}
        onKeyDown={press}
      />
      <PaletteList {...{ text, active, entered, optionId }} onActive={setActive} onChosen={() => setEntered(false)} />
    </>
  );
}
