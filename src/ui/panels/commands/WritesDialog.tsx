import { Dialog } from '../../parts/index.ts';
import type { Write } from '../../stores/writes.ts';
import CommandList from './CommandList.tsx';
import styles from './commands.module.css';

interface WritesDialogProps {
  readonly about: string;
  readonly writes: readonly Write[];
  readonly onClose: () => void;
}

/** The commands of each item of a menu. */
export default function WritesDialog({ about, writes, onClose }: WritesDialogProps) {
  return (
    <Dialog open wide onClose={onClose} title="Commands that do the same" about={about}>
      {writes.map((write) => (
        <section key={write.label}>
          <h3 className={styles.title}>{write.label}</h3>
          <CommandList of={write} onLeave={onClose} />
        </section>
      ))}
    </Dialog>
  );
}
