import { useEffect, useState } from 'preact/compat';
import { ErrorNote, Waiting } from '../../parts/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { nameOfIdentity } from '../../stores/identity.ts';
import type { Write } from '../../stores/writes.ts';
import { AsCommand } from '../object/actions/AsCommand.tsx';
import type { OwnWay } from './ownWay.ts';
import { commandsOf } from './rehearsal.ts';
import styles from './commands.module.css';

interface CommandListProps {
  readonly of: Write | OwnWay;
  readonly onLeave: () => void;
}

/** The commands of a button, or why there is none. */
export default function CommandList({ of, onLeave }: CommandListProps) {
  if ('none' in of) return <p className={styles.list}>No command does the same. {of.none}</p>;
  return <Commands of={of} onLeave={onLeave} />;
}

interface CommandsProps {
  readonly of: Exclude<CommandListProps['of'], { readonly none: string }>;
  readonly onLeave: () => void;
}

function Commands({ of, onLeave }: CommandsProps) {
  const [lines, setLines] = useState<readonly string[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let gone = false;
    commandsOf(of).then(
      (found) => gone || setLines(found),
      (error: unknown) => gone || setProblem(messageOf(error)),
    );
    return () => void (gone = true);
    // It tells what a press would do at the moment of opening.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  if (problem !== undefined) return <ErrorNote title="The commands are not known">{problem}</ErrorNote>;
  if (!lines) return <Waiting what="Reading the commands" />;
  return (
    <div className={styles.list}>
      <p className={styles.words}>{introduction(of, lines.length)}</p>
      {lines.map((line, index) => (
        <AsCommand key={index} command={line} action={`${of.label} (${index + 1})`} onLeave={onLeave} />
      ))}
    </div>
  );
}

/** What stands above the commands. */
export function introduction({ label, as, note }: Partial<Write>, count: number): string {
  if (count === 0) return 'It would change nothing now.';
  const who = as ? ` by ${nameOfIdentity(as)}: act as that identity first` : '';
  const first = `${count === 1 ? 'This command does' : 'These commands do'} the same as “${label}”${who}.`;
  return note === undefined ? first : `${first} ${note}`;
}
