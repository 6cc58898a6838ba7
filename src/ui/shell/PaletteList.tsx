import { useEffect, useEffectEvent, useMemo } from 'preact/compat';
import { cx } from '../parts/index.ts';
import { useRefusal } from '../stores/permissions.ts';
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
  /** The id of an option's element. */
  readonly optionId: (index: number) => string;
  /** Whether Enter was pressed and nothing was chosen by it yet: what is found may still be on its way. */
  readonly entered: boolean;
  readonly onChosen: () => void;
}

function run(command: Command, refusal: string | undefined): void {
  if (refusal !== undefined) return;
  hideOverlay();
  command.run();
}

/** What the palette finds for a text. */
export default function PaletteList({ text, active, onActive, optionId, entered, onChosen }: PaletteListProps) {
  const objects = useFoundObjects();
  const flags = useFoundFlags(text.trim().length >= 3);
  const fields = useFoundFields(text);
  const commands = useMemo(() => {
    if (fields.atPath.length > 0) return fields.atPath;
    return [...commandsFor(text, [...objectCommands(objects, text), ...flags]), ...fields.named];
  }, [text, objects, flags, fields]);
  const at = Math.min(active, commands.length - 1);
  const runChosen = useEffectEvent(() => {
    onChosen();
    document.getElementById(optionId(at))?.click();
  });
  const choose = entered && commands.length > 0;
  useEffect(() => {
    if (choose) runChosen();
  }, [choose]);
  const clamp = useEffectEvent(() => (at >= 0 && at !== active ? onActive(at) : undefined));
  useEffect(() => clamp(), [at, active]);
  return (
    <ul id="palette-list" role="listbox" aria-label="Commands" className={styles.list}>
      {commands.map((command, index) => (
        <PaletteItem
          key={command.key}
          id={optionId(index)}
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
  const { icon: Icon, label, note, unavailable, wish } = command;
  const refused = useRefusal(wish?.verb ?? '', wish?.target, wish?.subresource);
  const refusal = unavailable ?? (wish && refused);
  return (
    <li
      id={id}
      role="option"
      aria-selected={active}
      aria-disabled={refusal !== undefined}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: 'nearest' });
      }}
      className={cx(styles.item, active && styles.active)}
      onPointerMove={onPoint}
      onClick={() => run(command, refusal)}
    >
      <Icon className={styles.icon} aria-hidden />
      <span className={styles.label}>{label}</span>
      <span className={styles.note}>{refusal ?? note}</span>
    </li>
  );
}
