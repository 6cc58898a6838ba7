import { useEffect, useState } from 'preact/compat';
import { Button, ErrorNote, orToast } from '../../parts/index.ts';
import { messageOf } from '../../stores/actions.ts';
import { openTerminal } from '../terminal/opened.ts';
import { openLessonAt } from './linked.ts';
import { OfferDialog, readOffered, type Offered } from './OfferDialog.tsx';

interface LinkedLessonProps {
  /** The lesson's file. */
  readonly file: string;
  readonly step: number;
  /** Command lines that wait in the terminal then. */
  readonly commands: readonly string[] | undefined;
  readonly onClose: () => void;
}

/** A lesson that a link carries whole: shows first what it would do, and asks. */
export default function LinkedLesson({ file, step, commands, onClose }: LinkedLessonProps) {
  const [offered, setOffered] = useState<Offered>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    readOffered(file).then(setOffered, (error: unknown) => setProblem(messageOf(error)));
  }, [file]);
  if (problem !== undefined)
    return (
      <ErrorNote title="This link can’t be opened." actions={<Button onClick={onClose}>Continue without it</Button>}>
        It carries a lesson that can’t be read. {problem}
      </ErrorNote>
    );
  if (!offered) return null;
  const open = (id: string): void =>
    void orToast('The lesson could not be opened.', async () => {
      await openLessonAt({ id, step });
      if (commands) openTerminal(commands.join('; '));
    });
  return <OfferDialog {...offered} from="link" step={step} commands={commands} onClose={onClose} onOpen={open} />;
}
