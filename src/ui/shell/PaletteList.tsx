import { useEffect, useEffectEvent, useMemo } from 'react';
import { cx } from '../parts/index.ts';
import { commandsFor, type Command } from './commands.ts';
import { objectCommands, useFoundObjects } from './foundObjects.ts';
import { useFoundFields } from './foundFields.ts';
import { useFoundFlags } from './foundFlags.ts';
import { hideOverlay } from './overlay.ts';
import styles from './Palette.module.css';

interface PaletteListProps {
  readonly text: string;
  readonly active: number;
  readonly onActive: (index: number) => void;
  /** How often Enter was pressed for this text, maybe before this list was there. */
  readonly entered: number;
}

function run(command: Command | undefined): void {
  if (!command || command.unavailable !== undefined) return;
  hideOverlay();
  command.run();
}

/** What the palette finds for a text. */
export default function PaletteList({ text, active, onActive, entered }: PaletteListProps) {
  const objects = useFoundObjects();
  const flags = useFoundFlags(text.trim().length >= 3);
  const fields = useFoundFields(text);
  const commands = useMemo(
    () => (fields.length > 0 ? fields : commandsFor(text, [...objectCommands(objects, text), ...flags])),
    [text, objects, flags, fields],
  );
  const at = Math.min(active, commands.length - 1);
  const runChosen = useEffectEvent(() => run(commands[at]));
  useEffect(() => {
    if (entered > 0) runChosen();
  }, [entered]);
  const clamp = useEffectEvent(() => (at >= 0 && at !== active ? onActive(at) : undefined));
  useEffect(() => clamp(), [at, active]);
  return (
    <ul id="palette-list" role="listbox" aria-label="Commands" className={styles.list}>
      {commands.map((command, index) => (
        <PaletteItem
          key={command.key}
          id={`palette-${index}`}
          command={command}
          active={index === at}
          onPoint={() => onActive(index)}
        />
      ))}
      {commands.length === 0 && <li className={styles.none}>Nothing is called “{text}”.</li>}
    </ul>
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
      aria-disabled={command.unavailable !== undefined}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: 'nearest' });
      }}
      className={cx(styles.item, active && styles.active)}
      onPointerMove={onPoint}
      onClick={() => run(command)}
    >
      <Icon className={styles.icon} aria-hidden />
      <span className={styles.label}>{command.label}</span>
      <span className={styles.note}>{command.unavailable ?? command.note}</span>
    </li>
  );
}
