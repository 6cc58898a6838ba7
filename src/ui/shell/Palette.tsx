import { useMemo, useState, type KeyboardEvent } from 'react';
import { cx, Modal } from '../parts/index.ts';
import { commandsFor, type Command } from './commands.ts';
import { useFoundObjects } from './foundObjects.ts';
import { hideOverlay, useOverlay } from './overlay.ts';
import styles from './Palette.module.css';

/** Goes anywhere and does anything, by a few letters. */
export default function Palette() {
  return (
    <Modal className={styles.palette} first="input" aria-label="Find anything" onClose={hideOverlay}>
      <Finder />
    </Modal>
  );
}

function run(command: Command | undefined): void {
  if (!command) return;
  hideOverlay();
  command.run();
}

function Finder() {
  const [text, setText] = useState(useOverlay.getState().text);
  const [active, setActive] = useState(0);
  const objects = useFoundObjects();
  const commands = useMemo(() => commandsFor(text, objects), [text, objects]);
  const at = Math.min(active, commands.length - 1);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setActive(Math.min(at + 1, commands.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(at - 1, 0));
    else if (event.key === 'Enter') run(commands[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at}`}
        aria-label="Find anything"
        className={styles.input}
        placeholder="A panel, a resource, an object, a command; or :pod default"
        value={text}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      <ul id="palette-list" role="listbox" aria-label="Commands" className={styles.list}>
        {commands.map((command, index) => (
          <PaletteItem
            key={command.key}
            id={`palette-${index}`}
            command={command}
            active={index === at}
            onPoint={() => setActive(index)}
          />
        ))}
        {commands.length === 0 && <li className={styles.none}>Nothing is called “{text}”.</li>}
      </ul>
    </>
  );
}

interface PaletteItemProps {
  readonly id: string;
  readonly command: Command;
  readonly active: boolean;
  readonly onPoint: () => void;
}

function PaletteItem({ id, command, active, onPoint }: PaletteItemProps) {
  const Icon = command.icon;
  return (
    <li
      id={id}
      role="option"
      aria-selected={active}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: 'nearest' });
      }}
      className={cx(styles.item, active && styles.active)}
      onPointerMove={onPoint}
      onClick={() => run(command)}
    >
      <Icon className={styles.icon} aria-hidden />
      <span className={styles.label}>{command.label}</span>
      <span className={styles.note}>{command.note}</span>
    </li>
  );
}
